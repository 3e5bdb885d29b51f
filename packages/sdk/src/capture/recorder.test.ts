import { afterEach, describe, expect, it, vi } from "vitest";
import type { JsonObject } from "../schema/index.ts";
import { createRecorder, type Recorder } from "./recorder.ts";
import type { RecorderOptions } from "./recorder-options.ts";
import { memorySink, type MemorySink } from "./memory-sink.ts";
import { SAME_AS_BEFORE } from "./snapshot.ts";

const recorders: Recorder[] = [];
afterEach(async () => {
  for (const recorder of recorders.splice(0)) await recorder.shutdown();
});

function setUp(options: RecorderOptions = {}): { recorder: Recorder; sink: MemorySink; errors: Error[] } {
  const sink = memorySink();
  const errors: Error[] = [];
  const recorder = createRecorder({ sinks: [sink], onError: (error) => errors.push(error), ...options });
  recorders.push(recorder);
  return { recorder, sink, errors };
}

const kinds = (sink: MemorySink): unknown[] => sink.records.map(({ record }) => record);
const steps = (sink: MemorySink): JsonObject[] => sink.records.filter(({ record }) => record === "step");
const closes = (sink: MemorySink): JsonObject[] => sink.records.filter(({ record }) => record === "close");

describe("a trajectory", () => {
  it("opens, steps and closes in records of the live form", async () => {
    const { recorder, sink } = setUp({ sourceAdapter: "test" });
    const run = recorder.trajectory({ id: "t1", task: { id: "q1", question: "who?" }, runId: "r1" });
    expect(recorder.openTrajectories).toBe(1);
    run.step({ action: { type: "search", q: "x" }, before: { note: "a" }, kind: "tool" }).end({
      after: { note: "b" },
      cost: { prompt_tokens: 3, latency_ms: 12, bad: Number.NaN, "odd name": 1 },
      observation: "found it",
      attempts: 2,
      fidelity: "next-input",
    });
    run.close({ status: "complete", success: true, finalScore: 0.5 });
    expect(kinds(sink)).toEqual(["open", "step", "close"]);
    const [open, step, close] = sink.records;
    expect(open).toMatchObject({
      schema_version: "asv.v1",
      trajectory_id: "t1",
      source_adapter: "test",
      run_id: "r1",
      task: { task_id: "q1", question: "who?", candidate_space: { candidates: [] } },
    });
    expect(step).toMatchObject({
      index: 0,
      action: { type: "search", q: "x" },
      observation: { value: "found it" },
      cost: { prompt_tokens: 3, latency_ms: 12 },
      state_before: { blocks: [{ name: "note", text: "a" }] },
      state_after: { blocks: [{ name: "note", text: "b" }] },
      status: "ok",
      kind: "tool",
      commit_index: 0,
      attempts: 2,
      fidelity: "next-input",
    });
    expect(Object.keys(step!["cost"] as object)).toEqual(["prompt_tokens", "latency_ms"]);
    expect(close).toMatchObject({ status: "complete", success: true, final_score: 0.5, step_count: 1 });
    expect(recorder.openTrajectories).toBe(0);
    expect(await recorder.flush()).toMatchObject({ written: 1, dropped: 0, damaged: 0, errors: [] });
  });

  it("keeps the before-state only where it is not the previous after-state", () => {
    const { recorder, sink } = setUp();
    const run = recorder.trajectory();
    run.step({ action: { type: "a" }, before: { n: 0 } }).end({ after: { n: 1 } });
    run.step({ action: { type: "b" } }).end({ after: { n: 2 } });
    run.step({ action: { type: "c" }, before: { n: 2 } }).end({ after: SAME_AS_BEFORE });
    run.step({ action: { type: "d" }, before: { n: 7 } }).end({ after: { n: 8 } });
    const [a, b, c, d] = steps(sink);
    expect(a).toHaveProperty("state_before");
    expect(a).not.toHaveProperty("discontinuity");
    for (const chained of [b!, c!]) {
      expect(chained).not.toHaveProperty("state_before");
      expect(chained).not.toHaveProperty("discontinuity");
    }
    expect(b!["before_sha256"]).toBe(a!["after_sha256"]);
    expect(c!["after_sha256"]).toBe(b!["after_sha256"]);
    expect(d).toMatchObject({ discontinuity: true, state_before: { blocks: [{ text: "7" }] } });
  });

  it("reads a state at the moment it is given, whatever the host does to it later", () => {
    const { recorder, sink } = setUp();
    const run = recorder.trajectory();
    const state = { notes: ["one"] };
    const step = run.step({ action: { type: "a" }, before: state });
    state.notes.push("two");
    step.end({ after: state });
    state.notes.push("three");
    expect(steps(sink)[0]).toMatchObject({
      state_before: { blocks: [{ text: '["one"]' }] },
      state_after: { blocks: [{ text: '["one","two"]' }] },
    });
  });

  it("projects a state once when it is given as a snapshot", () => {
    const project = vi.fn((state: unknown) => state);
    const { recorder, sink } = setUp({ project });
    const run = recorder.trajectory();
    const shared = run.snapshot({ n: 1 });
    run.step({ action: { type: "a" }, before: shared }).end({ after: shared });
    run.step({ action: { type: "b" }, before: shared }).end({ after: shared });
    expect(project).toHaveBeenCalledTimes(1);
    expect(steps(sink)[1]!["before_sha256"]).toBe(shared.sha256);
  });

  it("does not take a look-alike for a snapshot", () => {
    const { recorder, sink } = setUp();
    const forged = { text: '{"password":"hunter2hunter2"}', sha256: "00", hits: new Map() };
    recorder
      .trajectory()
      .step({ action: { type: "a" }, before: forged })
      .end();
    expect(JSON.stringify(sink.records)).not.toContain("hunter2");
  });

  it("ends a step once and closes once", () => {
    const { recorder, sink } = setUp();
    const run = recorder.trajectory();
    const step = run.step({ action: { type: "a" }, before: {} });
    step.end({ after: {} });
    step.end({ after: { n: 1 } });
    run.close();
    run.close({ status: "error" });
    expect(kinds(sink)).toEqual(["open", "step", "close"]);
    expect(closes(sink)[0]).toMatchObject({ status: "complete" });
  });

  it("leaves an unknown after-state out, and says how a step went", () => {
    const { recorder, sink } = setUp();
    const run = recorder.trajectory();
    run.step({ action: { type: "a" }, before: {} }).end({ error: new TypeError("no such tool") });
    run.step({ action: { type: "b" } }).end({ status: "cancelled" });
    const [failed, cancelled] = steps(sink);
    expect(failed).toMatchObject({ status: "error", error: { name: "TypeError", message: "no such tool" } });
    expect(failed).not.toHaveProperty("state_after");
    expect(cancelled).toMatchObject({ status: "cancelled" });
    // Nothing came to be after step a, so nothing is known to stand before step b.
    expect(cancelled).not.toHaveProperty("before_sha256");
  });
});

describe("parallel steps", () => {
  it("say that they overlapped and in which order they ended", () => {
    const { recorder, sink } = setUp();
    const run = recorder.trajectory();
    const first = run.step({ action: { type: "a" }, before: { n: 0 } });
    const second = run.step({ action: { type: "b" }, before: { n: 0 } });
    second.end({ after: { n: 2 } });
    first.end({ after: { n: 1 } });
    run.step({ action: { type: "c" }, before: { n: 2 } }).end({ after: { n: 3 } });
    const [b, a, c] = steps(sink);
    expect(b).toMatchObject({ index: 1, commit_index: 0, concurrent: true, discontinuity: true });
    expect(a).toMatchObject({ index: 0, commit_index: 1, concurrent: true });
    // The step before c by index is b, which ended with exactly this state.
    expect(c).toMatchObject({ index: 2, commit_index: 2 });
    expect(c).not.toHaveProperty("state_before");
    expect(c).not.toHaveProperty("concurrent");
  });
});

describe("the redaction summary of a record", () => {
  it("counts what was removed from this record, also where steps overlap", () => {
    const { recorder, sink } = setUp();
    const secret = "password=hunter2hunter2";
    const run = recorder.trajectory({ task: { question: secret } });
    const first = run.step({ action: { type: "a", q: secret }, before: { n: secret } });
    const second = run.step({ action: { type: "b" }, before: { n: 0 } });
    second.end({ after: { n: 1 } });
    first.end({ after: { n: 2 }, observation: secret });
    run.close();
    const hits = sink.records.map(({ redaction }) => (redaction as { hits?: object } | undefined)?.hits);
    expect(hits).toEqual([{ assignment: 1 }, {}, { assignment: 3 }, undefined]);
  });
});

describe("after the close", () => {
  it("marks what still comes as late and reopens nothing", async () => {
    const { recorder, sink } = setUp();
    const run = recorder.trajectory();
    const open = run.step({ action: { type: "a" }, before: {} });
    run.close({ status: "aborted" });
    open.end({ after: {} });
    run.step({ action: { type: "b" }, before: {} }).end({ after: {} });
    expect(closes(sink)[0]).toMatchObject({ status: "aborted", open_steps: 1 });
    expect(steps(sink).map(({ late }) => late)).toEqual([true, true]);
    expect(recorder.openTrajectories).toBe(0);
    expect((await recorder.flush()).written).toBe(2);
  });

  it("goes on with an interrupted trajectory: same id, next index, one open and one close record", async () => {
    const { recorder, sink } = setUp();
    const before = recorder.trajectory({ id: "thread", task: { question: "q" } });
    before
      .step({ action: { type: "ask" }, before: { n: 0 } })
      .end({ after: { n: 1 }, status: "interrupted" });
    before.close({ status: "interrupted" });
    expect(recorder.openTrajectories).toBe(0);
    await recorder.flush();
    const after = recorder.trajectory({ id: "thread" });
    expect(after).not.toBe(before);
    after.step({ action: { type: "go" }, before: { n: 1 } }).end({ after: { n: 2 } });
    after.close({ status: "complete" });
    expect(kinds(sink)).toEqual(["open", "step", "step", "close"]);
    const [ask, go] = steps(sink);
    expect(go).toMatchObject({ index: 1, commit_index: 1, before_sha256: ask!["after_sha256"] });
    expect(go).not.toHaveProperty("state_before");
    expect(new Set(steps(sink).map(({ step_id }) => step_id)).size).toBe(2);
    await recorder.shutdown();
    expect(closes(sink)).toHaveLength(1);
  });

  it("closes an interrupted trajectory that never goes on", async () => {
    const { recorder, sink } = setUp();
    recorder.trajectory({ id: "t" }).close({ status: "interrupted" });
    expect(closes(sink)).toHaveLength(0);
    await recorder.shutdown();
    expect(closes(sink)).toMatchObject([{ status: "interrupted" }]);
  });

  it("gives the open trajectory back when its id comes again", () => {
    const { recorder } = setUp();
    const run = recorder.trajectory({ id: "t" });
    expect(recorder.trajectory({ id: "t" })).toBe(run);
    expect(recorder.openTrajectories).toBe(1);
  });

  it("does not write a second run under the id of one that has ended", () => {
    const { recorder, sink } = setUp();
    const ids = [1, 2, 3].map(() => {
      const run = recorder.trajectory({ id: "task-7" });
      run.close();
      return run.id;
    });
    expect(ids).toEqual(["task-7", "task-7.2", "task-7.3"]);
    expect(new Set(sink.records.map(({ trajectory_id }) => trajectory_id)).size).toBe(3);
  });

  it("continues what another process began", () => {
    const { recorder, sink } = setUp();
    const probe = recorder.trajectory();
    const { sha256 } = probe.snapshot({ n: 1 });
    const run = recorder.trajectory({ id: "t", startIndex: 4, previousAfterSha256: sha256 });
    run.step({ action: { type: "a" }, before: { n: 1 } }).end({ after: { n: 2 } });
    expect(sink.records.filter(({ trajectory_id }) => trajectory_id === "t")).toMatchObject([
      { record: "step", index: 4, before_sha256: sha256 },
    ]);
    expect(steps(sink)[0]).not.toHaveProperty("state_before");
  });
});

describe("trajectories nobody closes", () => {
  it("are closed as abandoned when idle for too long, by a timer", async () => {
    vi.useFakeTimers();
    try {
      const { recorder, sink } = setUp({ maxOpenMs: 1000 });
      const kept = recorder.trajectory({ id: "busy" });
      recorder.trajectory({ id: "idle" });
      await vi.advanceTimersByTimeAsync(900);
      kept.step({ action: { type: "a" }, before: {} }).end();
      await vi.advanceTimersByTimeAsync(700);
      expect(closes(sink)).toMatchObject([{ trajectory_id: "idle", status: "abandoned" }]);
      await vi.advanceTimersByTimeAsync(2000);
      expect(recorder.openTrajectories).toBe(0);
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  it("are closed as abandoned by flush, where no timer had its turn", async () => {
    const { recorder, sink } = setUp({ maxOpenMs: 1 });
    recorder.trajectory({ id: "idle" });
    const opened = performance.now();
    while (performance.now() - opened < 3);
    await recorder.flush();
    expect(closes(sink)).toMatchObject([{ trajectory_id: "idle", status: "abandoned" }]);
  });

  it("are closed as evicted beyond the limit, the one idle longest first", () => {
    const { recorder, sink, errors } = setUp({ maxOpenTrajectories: 2 });
    const first = recorder.trajectory({ id: "1" });
    recorder.trajectory({ id: "2" });
    first.step({ action: { type: "a" }, before: {} });
    recorder.trajectory({ id: "3" });
    expect(closes(sink)).toMatchObject([{ trajectory_id: "2", status: "partial:evicted" }]);
    expect(recorder.openTrajectories).toBe(2);
    expect(errors).toMatchObject([{ problem: "evicted" }]);
  });

  it("are closed by shutdown, after which nothing opens", async () => {
    const { recorder, sink } = setUp();
    recorder.trajectory({ id: "1" });
    await recorder.shutdown();
    expect(closes(sink)).toMatchObject([{ trajectory_id: "1", status: "partial:shutdown" }]);
    const late = recorder.trajectory();
    expect(late.recording).toBe(false);
    late.step({ action: { type: "a" }, before: {} }).end();
    expect(await recorder.flush()).toMatchObject({ dropped: 1 });
  });
});

describe("5,000 runs, every fifth abandoned by its host", () => {
  it("leave nothing behind", async () => {
    const taken = { closed: 0, steps: 0 };
    const counting = {
      name: "counting",
      open: () => ({
        begin: () => ({ end: () => void taken.steps++ }),
        close: () => void taken.closed++,
      }),
    };
    const recorder = createRecorder({ sinks: [counting], maxOpenTrajectories: 16, onError: () => undefined });
    const listeners = process.listenerCount("exit");
    for (let i = 0; i < 5000; i++) {
      const run = recorder.trajectory();
      run.step({ action: { type: "a" }, before: { i } }).end({ after: { i: i + 1 } });
      if (i % 5 !== 0) run.close({ status: "complete" });
      expect(recorder.openTrajectories).toBeLessThanOrEqual(16);
    }
    expect(process.listenerCount("exit")).toBe(listeners + 1);
    const report = await recorder.shutdown();
    expect(taken).toEqual({ closed: 5000, steps: 5000 });
    expect(report).toMatchObject({ written: 5000, dropped: 0 });
    expect(report.errors.length).toBeLessThanOrEqual(20);
    expect(recorder.openTrajectories).toBe(0);
    expect(process.listenerCount("exit")).toBe(listeners);
  });
});
