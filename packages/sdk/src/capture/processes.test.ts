import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readTrajectories } from "../jsonl/index.ts";
import type { Trajectory } from "../schema/index.ts";

const child = fileURLToPath(new URL("./capture-child.test-support.ts", import.meta.url));
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "asv-process-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function run(mode: string, ...flags: string[]) {
  const file = join(folder, `${mode}.jsonl`);
  const { status, signal, stdout, stderr } = spawnSync(process.execPath, [...flags, child, mode, file], {
    encoding: "utf8",
    timeout: 25_000,
  });
  const warnings: unknown[] = [];
  const trajectories: Trajectory[] = [];
  for await (const trajectory of readTrajectories(file, { onWarning: (warning) => warnings.push(warning) })) {
    trajectories.push(trajectory);
  }
  return { status, signal, stdout, stderr, warnings, trajectories };
}

describe("the end of a process", () => {
  it.each([
    ["natural", 0, null, "partial:process-exit"],
    ["exit", 3, null, "partial:process-exit"],
    ["throw", 1, null, "partial:process-exit"],
    ["kill", null, "SIGKILL", "partial"],
    ["sigterm", null, "SIGTERM", "partial"],
    ["sigterm-handled", null, "SIGTERM", "partial:SIGTERM"],
  ])(
    "%s: all 5 finished steps are in the file and the way it ended is not changed",
    async (mode, status, signal, closed) => {
      const result = await run(mode);
      expect(result).toMatchObject({ status, signal, warnings: [] });
      expect(result.trajectories).toMatchObject([{ trajectoryId: "t", status: closed }]);
      expect(result.trajectories[0]!.steps.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4]);
    },
  );
});

describe("an exporter that fails", () => {
  it.each(["hangs", "throws", "rejects"])("%s: the host lives and the file is complete", async (mode) => {
    const result = await run(mode, "--unhandled-rejections=strict");
    expect(result.stderr).not.toMatch(/ERR_UNHANDLED|Uncaught|at /);
    expect(result).toMatchObject({ status: 0, stdout: '{"written":5,"dropped":0}\n' });
    expect(result.trajectories[0]!.steps).toHaveLength(5);
  });
});

describe("6,000 runs in one process, every fifth never closed", () => {
  it("end with an empty register and a heap that has not grown", async () => {
    const { stdout, stderr, trajectories } = await run("many", "--expose-gc");
    expect(stderr).toBe("");
    const { open, grownMb } = JSON.parse(stdout) as { open: number; grownMb: number };
    expect(open).toBe(0);
    // 5,000 runs of 4 KB states would be 20 MB if they were held.
    expect(grownMb).toBeLessThan(5);
    expect(trajectories).toHaveLength(6000);
    expect(trajectories.filter(({ status }) => status === "abandoned")).toHaveLength(1200);
  });
});
