import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { OtelKit } from "./otel-kit.test-support.ts";
import { readBack, type Scenario } from "./scenario.test-support.ts";

const child = fileURLToPath(new URL("./processor-child.test-support.ts", import.meta.url));

interface Ended {
  readonly status: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a TypeScript file as a process of its own, from source. */
export async function runChild(
  args: readonly string[],
  flags: readonly string[] = [],
  environment: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const started = spawn(
    process.execPath,
    ["--conditions=@agent-step-value/source", "--unhandled-rejections=strict", ...flags, ...args],
    {
      timeout: 25_000,
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, NODE_OPTIONS: "", ...environment },
    },
  );
  let stdout = "";
  let stderr = "";
  started.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  started.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  return new Promise((resolve, reject) => {
    started.on("error", reject);
    started.on("close", (status, signal) => resolve({ status, signal, stdout, stderr }));
  });
}

const run = (kit: OtelKit, mode: string, file: string, ownFile = "-", ...flags: string[]) =>
  runChild([child, mode, file, kit.url, ownFile], flags);

const ends: [mode: string, status: number | null, signal: string | null, closed: string][] = [
  ["natural", 0, null, "partial:process-exit"],
  ["exit", 3, null, "partial:process-exit"],
  ["throw", 1, null, "partial:process-exit"],
  ["kill", null, "SIGKILL", "partial"],
  ["sigterm", null, "SIGTERM", "partial"],
  ["sigterm-handled", null, "SIGTERM", "partial:SIGTERM"],
];

/** Whole processes. */
export const processScenarios: Scenario[] = [
  ...ends.map(([mode, status, signal, closed]): Scenario => ({
    // jeanibarz/knowledge-base-mcp-server 879
    name: `a short program that never flushes ends by ${mode}: its 5 finished steps are in both files, and it ends as it would`,
    async run(kit, path) {
      const ended = await run(kit, mode, path("a.jsonl"), path("capture.jsonl"));
      assert.deepEqual([ended.status, ended.signal], [status, signal], ended.stderr);
      for (const file of [path("a.jsonl"), path("capture.jsonl")]) {
        const { runs, warnings } = await readBack(file);
        assert.deepEqual(warnings, []);
        assert.deepEqual(
          runs.map((trajectory) => [trajectory.status, trajectory.steps.map(({ index }) => index)]),
          [[closed, [0, 1, 2, 3, 4]]],
        );
      }
    },
  })),
  ...ends.map(([mode, status, signal, closed]): Scenario => ({
    name: `a process ends by ${mode} within another writer's run: its finished steps are there, it ends as it would`,
    async run(kit, path) {
      const ended = await run(kit, mode, path("a.jsonl"));
      assert.deepEqual([ended.status, ended.signal], [status, signal], ended.stderr);
      const { runs, warnings } = await readBack(path("a.jsonl"));
      assert.deepEqual(warnings, []);
      assert.deepEqual(
        runs.map((trajectory) => [trajectory.status, trajectory.steps.length]),
        [[closed, 5]],
      );
    },
  })),
  {
    // open-telemetry/opentelemetry-js 6410
    name: "a collector resets the connection within its answer: no uncaught exception, all steps written",
    async run(kit, path) {
      const ended = await run(kit, "reset", path("a.jsonl"));
      assert.deepEqual([ended.status, ended.stdout], [0, '{"written":5,"requested":true}\n'], ended.stderr);
      assert.equal((await readBack(path("a.jsonl"))).runs.length, 5);
    },
  },
  {
    name: "10,000 runs whose streams are never read: the heap does not grow",
    async run(kit, path) {
      const ended = await run(kit, "unread", path("a.jsonl"), "-", "--expose-gc");
      assert.equal(ended.status, 0, ended.stderr);
      const { open, grownMb } = JSON.parse(ended.stdout) as { open: number; grownMb: number };
      assert.equal(open, 64);
      // 10,000 states of 2 KB would be 20 MB if they were held.
      assert.ok(grownMb < 4, `${grownMb} MB`);
    },
  },
];
