import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { readTrajectories } from "@agent-step-value/sdk/jsonl";
import { trajectoriesOf } from "../scripted.test-support.ts";

const child = fileURLToPath(new URL("delivery-child.test-support.ts", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "asv-delivery-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(mode: string) {
  const file = join(folder, `${mode}.jsonl`);
  const flags = ["--conditions=@agent-step-value/source", "--unhandled-rejections=strict"];
  const ended = spawnSync(process.execPath, [...flags, child, mode, file], {
    encoding: "utf8",
    timeout: 25_000,
  });
  const lines = readFileSync(file, "utf8").trim().split("\n");
  return { ...ended, file, trajectories: trajectoriesOf(lines.map((line) => JSON.parse(line))) };
}

describe("a process of its own, where unhandled rejections kill", () => {
  it.each(["hangs", "throws", "rejects"])(
    "ends well when the exporter %s, with the file complete",
    (mode) => {
      const { status, stdout, stderr, trajectories } = run(mode);
      expect(stdout.trim()).toBe("7");
      expect(stderr).not.toMatch(/unhandled|uncaught/i);
      expect(status).toBe(0);
      expect(trajectories.map((seen) => [seen.steps.length, seen.closed])).toEqual([[5, "complete"]]);
    },
  );

  it.each(["exit", "throw", "natural end"])("loses nothing at %s right after the run", (mode) => {
    const { status, stdout, trajectories } = run(mode);
    expect(stdout.trim()).toBe("7");
    expect(status).toBe(mode === "throw" ? 1 : 0);
    expect(trajectories.map((seen) => [seen.steps.length, seen.closed])).toEqual([[5, "complete"]]);
  });

  it("leaves every finished step when it is killed in the middle of the next, partial when read", async () => {
    const { signal, file, trajectories } = run("killed");
    expect(signal).toBe("SIGKILL");
    expect(trajectories.map((seen) => [seen.steps.map((step) => step.type), seen.closed])).toEqual([
      [["model", "tool:search"], undefined],
    ]);
    const read = [];
    for await (const trajectory of readTrajectories([file])) read.push(trajectory);
    expect(read.map((trajectory) => [trajectory.steps.length, trajectory.status])).toEqual([[2, "partial"]]);
  });
});
