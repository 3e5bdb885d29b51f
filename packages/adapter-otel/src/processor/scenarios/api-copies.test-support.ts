import assert from "node:assert/strict";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { OtelKit } from "./otel-kit.test-support.ts";
import { runChild } from "./processes.test-support.ts";
import { readBack, type Scenario } from "./scenario.test-support.ts";

const child = fileURLToPath(new URL("./api-copies-child.test-support.ts", import.meta.url));
const preload = fileURLToPath(new URL("./second-api.test-support.ts", import.meta.url));

/** What a process with two copies of the API reports. */
interface Outcome {
  /** The application's copy took the provider. */
  readonly registered: boolean;
  readonly otel: string;
  readonly problems: string[];
  /** Steps that reached the processor through the global provider, of 6. */
  readonly byGlobal: number;
  /** Steps that reached it through a provider that was handed over, of 3. */
  readonly byGiven: number;
}

/**
 * Runs an agent whose SDK has another copy of `@opentelemetry/api` than the application has.
 *
 * @param copy URL of the module that the SDK gets
 */
export async function withTwoCopies(
  kit: OtelKit,
  copy: string,
  path: (name: string) => string,
): Promise<{ outcome: Outcome; stepsInOwnFile: number }> {
  const ended = await runChild(
    [child, kit.url, path("a.jsonl"), path("capture.jsonl")],
    ["--import", preload],
    { ASV_TEST_API: copy },
  );
  assert.equal(ended.status, 0, ended.stderr);
  const { runs } = await readBack(path("capture.jsonl"));
  return {
    outcome: JSON.parse(ended.stdout) as Outcome,
    stepsInOwnFile: runs.reduce((sum, { steps }) => sum + steps.length, 0),
  };
}

/** A copy of the workspace's API that gives itself out for another version. */
function copyOfApi(folder: string, version: string): string {
  const entry = fileURLToPath(import.meta.resolve("@opentelemetry/api"));
  const source = dirname(entry);
  cpSync(source, folder, { recursive: true });
  const file = join(folder, "version.js");
  const text = readFileSync(file, "utf8");
  const changed = text.replace(/VERSION = '[\d.]+'/, `VERSION = '${version}'`);
  assert.notEqual(changed, text);
  writeFileSync(file, changed);
  // Beside it, so that the copy is CommonJS as the original is.
  writeFileSync(join(folder, "package.json"), '{"type":"commonjs"}');
  return pathToFileURL(join(folder, "index.js")).href;
}

/** The version with its minor number raised or lowered. */
function versionNear(version: string, by: number): string {
  const [major, minor] = version.split(".").map(Number);
  return `${major}.${minor! + by}.0`;
}

/** getsentry/sentry-javascript 22338, DataDog/dd-trace-js 9077 */
export const apiCopyScenarios: Scenario[] = [
  {
    name: "two copies of the API, the agent's the older: its spans reach the processor",
    async run(kit, path) {
      const copy = copyOfApi(path("api"), versionNear(kit.apiVersion, -1));
      const { outcome, stepsInOwnFile } = await withTwoCopies(kit, copy, path);
      assert.deepEqual(outcome, { registered: true, otel: "active", problems: [], byGlobal: 6, byGiven: 3 });
      assert.equal(stepsInOwnFile, 6);
    },
  },
  {
    name: "two copies of the API, the agent's the newer: told once, the recorder's file is complete, a provider handed over works",
    async run(kit, path) {
      const copy = copyOfApi(path("api"), versionNear(kit.apiVersion, +1));
      const { outcome, stepsInOwnFile } = await withTwoCopies(kit, copy, path);
      assert.deepEqual(outcome, {
        registered: true,
        otel: "inactive",
        problems: ["otel_inactive"],
        byGlobal: 0,
        byGiven: 3,
      });
      assert.equal(stepsInOwnFile, 6);
    },
  },
];
