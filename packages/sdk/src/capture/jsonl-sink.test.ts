import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readTrajectories, type ReadWarning } from "../jsonl/index.ts";
import type { Trajectory } from "../schema/index.ts";
import { jsonlSink } from "./jsonl-sink.ts";
import { createRecorder, type Recorder } from "./recorder.ts";
import type { RecorderOptions } from "./recorder-options.ts";

let folder: string;
let recorders: Recorder[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "asv-capture-"));
});
afterEach(async () => {
  await Promise.all(recorders.map((recorder) => recorder.shutdown()));
  recorders = [];
  rmSync(folder, { recursive: true, force: true });
});

const inFolder = (name: string): string => join(folder, name);
const lines = (file: string): string[] => readFileSync(file, "utf8").split("\n").slice(0, -1);

function recorderFor(options: RecorderOptions): { recorder: Recorder; errors: Error[] } {
  const errors: Error[] = [];
  const recorder = createRecorder({ sinks: [], onError: (error) => errors.push(error), ...options });
  recorders.push(recorder);
  return { recorder, errors };
}

function runOnce(recorder: Recorder, id: string, steps = 3): void {
  const run = recorder.trajectory({ id, task: { question: "which?" } });
  for (let i = 0; i < steps; i++) {
    run.step({ action: { type: `s${i}` }, before: { n: i } }).end({ after: { n: i + 1 } });
  }
  run.close({ status: "complete", success: true });
}

async function read(file: string): Promise<{ trajectories: Trajectory[]; warnings: ReadWarning[] }> {
  const warnings: ReadWarning[] = [];
  const trajectories: Trajectory[] = [];
  const onWarning = (warning: ReadWarning): void => void warnings.push(warning);
  for await (const trajectory of readTrajectories(file, { onWarning })) trajectories.push(trajectory);
  return { trajectories, warnings };
}

describe("jsonlSink", () => {
  it("writes what readTrajectories reads back, digests included", async () => {
    const { recorder } = recorderFor({ file: inFolder("a.jsonl") });
    const run = recorder.trajectory({
      id: "t",
      task: {
        id: "q",
        question: "wo \u2028 ist „x“?",
        candidates: [
          { id: "cand-1", text: "1" },
          { id: "cand-2", text: "2" },
        ],
      },
      metadata: { build: "7" },
    });
    run
      .step({ action: { type: "a" }, before: { text: "line\nbreak \u2028 \u0085 𝄞" } })
      .end({ after: { n: 1 } });
    run.step({ action: { type: "b" } }).end({ after: { n: 2 } });
    run.step({ action: { type: "c" }, before: { n: 9 } }).end({ after: { n: 3 }, error: new Error("x") });
    run.close({ status: "error", success: false });
    const { trajectories, warnings } = await read(inFolder("a.jsonl"));
    expect(warnings).toEqual([]);
    expect(trajectories).toMatchObject([
      {
        trajectoryId: "t",
        status: "error",
        success: false,
        metadata: { build: "7" },
        task: {
          taskId: "q",
          question: "wo \u2028 ist „x“?",
          candidateSpace: { candidates: [{ id: "cand-1" }, { id: "cand-2" }] },
        },
        steps: [
          {
            index: 0,
            stateBefore: { blocks: [{ text: "line\nbreak \u2028 \u0085 𝄞" }] },
            stateAfter: { blocks: [{ text: "1" }] },
          },
          { index: 1, stateBefore: { blocks: [{ text: "1" }] } },
          { index: 2, stateBefore: { blocks: [{ text: "9" }] }, discontinuity: true },
        ],
        redaction: { policy: "default", hits: {} },
      },
    ]);
    // Read as parsed records, the chained before-state is the very object of the previous after-state.
    const [first, second] = trajectories[0]!.steps;
    expect(second!.stateBefore).toBe(first!.stateAfter);
  });

  it("writes a step as soon as it ends", () => {
    const file = inFolder("a.jsonl");
    const { recorder } = recorderFor({ file });
    expect(existsSync(file)).toBe(false);
    const run = recorder.trajectory();
    expect(lines(file)).toHaveLength(1);
    run.step({ action: { type: "a" }, before: {} }).end({ after: {} });
    expect(lines(file)).toHaveLength(2);
  });

  it("loses none of 10,000 steps that end in one tick", async () => {
    const file = inFolder("a.jsonl");
    const { recorder } = recorderFor({ file });
    const run = recorder.trajectory({ id: "t" });
    for (let i = 0; i < 10_000; i++)
      run.step({ action: { type: "a" }, before: { n: i } }).end({ after: { n: i + 1 } });
    run.close();
    expect(await recorder.flush()).toMatchObject({ written: 10_000, dropped: 0 });
    expect((await read(file)).trajectories[0]!.steps).toHaveLength(10_000);
  });

  it("takes its path from ASV_FILE, read once", () => {
    const file = inFolder("env.jsonl");
    process.env["ASV_FILE"] = file;
    const errors: Error[] = [];
    const recorder = createRecorder({ onError: (error) => errors.push(error) });
    recorders.push(recorder);
    process.env["ASV_FILE"] = inFolder("later.jsonl");
    try {
      runOnce(recorder, "t");
      expect(lines(file)).toHaveLength(5);
      expect(existsSync(inFolder("later.jsonl"))).toBe(false);
      // No provider is registered, and none is missed while there is a file.
      expect(errors).toEqual([]);
    } finally {
      delete process.env["ASV_FILE"];
    }
  });

  it("fills in the process id and a random word", () => {
    const { recorder } = recorderFor({ file: inFolder("a.{pid}.jsonl") });
    runOnce(recorder, "t");
    expect(lines(inFolder(`a.${process.pid}.jsonl`))).toHaveLength(5);
  });

  it("is one open file for two recorders of a process, and stays open until both let go", async () => {
    const file = inFolder("a.jsonl");
    const { recorder: one } = recorderFor({ file });
    const { recorder: two, errors } = recorderFor({ file });
    runOnce(one, "1");
    runOnce(two, "2");
    await one.shutdown();
    await one.shutdown();
    runOnce(two, "3");
    runOnce(one, "4");
    expect(errors).toEqual([]);
    expect((await read(file)).trajectories.map(({ trajectoryId }) => trajectoryId)).toEqual(["1", "2", "3"]);
  });

  it("cuts a torn last line off before it appends, and says so", async () => {
    const file = inFolder("a.jsonl");
    const { recorder: first } = recorderFor({ file });
    runOnce(first, "1");
    await first.shutdown();
    const whole = readFileSync(file, "utf8");
    appendFileSync(file, `{"schema_version":"asv.v1","record":"step","text":"${"x".repeat(9000)}`);
    const { recorder, errors } = recorderFor({ file });
    runOnce(recorder, "2");
    expect(errors).toMatchObject([{ problem: "torn_line" }]);
    expect(readFileSync(file, "utf8").startsWith(`${whole}{`)).toBe(true);
    const { trajectories, warnings } = await read(file);
    expect(trajectories.map(({ trajectoryId }) => trajectoryId)).toEqual(["1", "2"]);
    expect(warnings).toEqual([]);
  });

  it("ends a whole last line that lacks its line feed", async () => {
    const file = inFolder("a.jsonl");
    const { recorder: first } = recorderFor({ file });
    runOnce(first, "1");
    await first.shutdown();
    writeFileSync(file, readFileSync(file, "utf8").slice(0, -1));
    const { recorder, errors } = recorderFor({ file });
    runOnce(recorder, "2");
    expect(errors).toEqual([]);
    expect((await read(file)).trajectories).toHaveLength(2);
  });

  it.each([
    ["a missing folder", () => inFolder("no/such/folder.jsonl"), "ENOENT"],
    ["a folder", () => folder, "EISDIR"],
    ["a full disk", () => "/dev/full", "ENOSPC"],
  ])("%s: one message, the host runs on, steps count as dropped", async (_, path, code) => {
    const { recorder, errors } = recorderFor({ file: path() });
    runOnce(recorder, "1");
    runOnce(recorder, "2");
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatchObject({ problem: "file_failed", code: "unreadable_source" });
    expect(errors[0]!.message).toContain(code);
    expect(await recorder.shutdown()).toMatchObject({ written: 0, dropped: 6 });
    expect(errors).toHaveLength(1);
  });

  it("syncs at the end of a trajectory when told to", async () => {
    const { recorder } = recorderFor({ sinks: [jsonlSink(inFolder("a.jsonl"), { fsync: "trajectory" })] });
    runOnce(recorder, "1");
    expect(await recorder.flush()).toMatchObject({ written: 3, errors: [] });
  });

  it("refuses options without sense", () => {
    expect(() => jsonlSink("")).toThrow("path");
    expect(() => jsonlSink("a", { fsync: "always" as "never" })).toThrow("fsync");
  });
});
