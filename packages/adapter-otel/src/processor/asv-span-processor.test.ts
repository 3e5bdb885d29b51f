import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JsonObject } from "@agent-step-value/sdk";
import { createRecorder } from "@agent-step-value/sdk/capture";
import { packTrajectories } from "@agent-step-value/sdk/jsonl";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  end,
  sha256,
  spanIdOf,
  startAndEnd,
  stateAttributes,
  stepSpan,
  trajectorySpan,
} from "./fake-span.test-support.ts";
import {
  asvSpanProcessor,
  type AsvSpanProcessor,
  type ProcessedSpan,
  type SpanProcessorOptions,
} from "./index.ts";
import { readBack } from "./scenarios/scenario.test-support.ts";

let folder: string;
let problems: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "asv-processor-"));
  problems = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const inFolder = (name: string): string => join(folder, name);
const file = (): string => inFolder("a.jsonl");

function processorWith(options: Partial<SpanProcessorOptions> = {}): AsvSpanProcessor {
  return asvSpanProcessor({ file: file(), onError: ({ problem }) => problems.push(problem), ...options });
}

function records(): JsonObject[] {
  return readFileSync(file(), "utf8")
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as JsonObject);
}

const steps = (): JsonObject[] => records().filter(({ record }) => record === "step");

describe("a step's record", () => {
  it("has what the span says, the states as they are, and the place of the span", async () => {
    const processor = processorWith();
    const root = trajectorySpan("t", { attributes: { "asv.task.id": "q", "asv.task.question": "which?" } });
    processor.onStart(root);
    const span = stepSpan(
      "t",
      0,
      { before: "one", after: "two" },
      {
        status: { code: 2, message: "TypeError: it: failed" },
        attributes: {
          "asv.step.kind": "tool",
          "asv.step.status": "error",
          "asv.step.commit_index": 3,
          "asv.step.attempts": 2,
          "asv.step.concurrent": true,
          "asv.state.fidelity": "next-input",
        },
      },
    );
    startAndEnd(processor, span);
    expect(records().slice(1)).toEqual([
      {
        schema_version: "asv.v1",
        record: "step",
        trajectory_id: "t",
        step_id: "0-ab12",
        index: 0,
        action: { type: "act" },
        observation: {},
        cost: { latency_ms: 5 },
        quality_flags: {},
        before_sha256: sha256('{"blocks":[{"kind":"other","text":"one"}]}'),
        after_sha256: sha256('{"blocks":[{"kind":"other","text":"two"}]}'),
        status: "error",
        commit_index: 3,
        kind: "tool",
        fidelity: "next-input",
        attempts: 2,
        error: { name: "TypeError", message: "it: failed" },
        concurrent: true,
        trace_id: "0".repeat(31) + "1",
        span_id: spanIdOf(span),
        state_before: { blocks: [{ kind: "other", text: "one" }] },
        state_after: { blocks: [{ kind: "other", text: "two" }] },
      },
    ]);
    await processor.shutdown();
  });

  it("leaves the before-state out where it is the previous after-state, and says where it is another", async () => {
    const processor = processorWith();
    processor.onStart(trajectorySpan("t"));
    startAndEnd(processor, stepSpan("t", 0, { before: "a", after: "b" }));
    startAndEnd(processor, stepSpan("t", 1, { before: "b", after: "c" }));
    startAndEnd(processor, stepSpan("t", 2, { before: "changed", after: "d" }));
    await processor.shutdown();
    expect(steps().map((step) => ["state_before" in step, step["discontinuity"] ?? false])).toEqual([
      [true, false],
      [false, false],
      [true, true],
    ]);
    const { runs } = await readBack(file());
    expect(runs[0]!.steps[1]!.stateBefore).toEqual({ blocks: [{ kind: "other", text: "b" }] });
  });

  it("steps that end in another order than they began read in order, each with its before-state", async () => {
    const processor = processorWith();
    processor.onStart(trajectorySpan("t"));
    const [first, second, third] = [
      stepSpan("t", 0, { before: "s", after: "a" }),
      stepSpan("t", 1, { before: "s", after: "b" }),
      stepSpan("t", 2, { before: "b", after: "c" }),
    ];
    for (const span of [first, second, third]) processor.onStart(span);
    for (const span of [third, first, second]) end(processor, span);
    await processor.shutdown();
    const { runs } = await readBack(file());
    expect(
      runs[0]!.steps.map(({ index, stateBefore, stateAfter, extra, discontinuity }) => [
        index,
        (stateBefore as never as { blocks: { text: string }[] }).blocks[0]!.text,
        (stateAfter as never as { blocks: { text: string }[] }).blocks[0]!.text,
        extra!["commit_index"],
        discontinuity ?? false,
      ]),
    ).toEqual([
      [0, "s", "a", 1, false],
      [1, "s", "b", 2, true],
      // Step 1 was still under way when step 2, which began with another state, was written.
      [2, "b", "c", 0, true],
    ]);
  });

  it.each<[string, Record<string, unknown>]>([
    ["another length", { "asv.state.after.length": 7 }],
    ["no length", { "asv.state.after.length": undefined }],
    ["another digest", { "asv.state.after.sha256": "0".repeat(64) }],
    ["a digest that is none", { "asv.state.after.sha256": "abc" }],
    ["no digest", { "asv.state.after.sha256": undefined }],
    ["a text that is no text", { "asv.state.after": 7 }],
    ["a line feed in it", lineFeedState()],
    ["another form than the recorder writes", stateAttributes("after", { notes: "x" })],
  ])("leaves out an after-state with %s, and keeps the step", async (_, attributes) => {
    const processor = processorWith();
    processor.onStart(trajectorySpan("t"));
    startAndEnd(processor, stepSpan("t", 0, { before: "a", after: "b" }, { attributes }));
    startAndEnd(processor, stepSpan("t", 1, { before: "b", after: "c" }));
    const report = await processor.shutdown();
    expect(report).toMatchObject({ written: 2, damaged: 1, dropped: 0 });
    expect(problems).toEqual(["damaged_state"]);
    const { runs, warnings } = await readBack(file());
    expect(warnings).toEqual([]);
    const [first, second] = runs[0]!.steps;
    expect(first).toMatchObject({ extra: { damaged: ["state_after"] } });
    expect(first!.stateAfter).toBeUndefined();
    // It could not be left to the step before.
    expect(second!.stateBefore).toEqual({ blocks: [{ kind: "other", text: "b" }] });
  });

  it("does not send readers to the step before for a state of which only a digest is known", async () => {
    const processor = processorWith();
    processor.onStart(trajectorySpan("t"));
    startAndEnd(processor, stepSpan("t", 0, { before: "a", after: "b" }));
    const attributes = { "asv.state.before.sha256": "f".repeat(64), "asv.state.before.length": 20_000 };
    startAndEnd(processor, stepSpan("t", 1, { after: "c" }, { attributes }));
    await processor.shutdown();
    const { runs } = await readBack(file());
    expect(runs[0]!.steps[1]).toMatchObject({
      extra: { declared: { state_before: { length: 20_000, sha256: "f".repeat(64) } } },
    });
    expect(runs[0]!.steps[1]!.stateBefore).toBeUndefined();
  });

  it.each<[string, unknown[], number[]]>([
    ["one that is taken", [0, 0, 1], [0, 1, 2]],
    ["none", [undefined, undefined], [0, 1]],
    ["none beside some", [5, undefined, 2], [2, 5, 6]],
    ["what is no index", [-1, 1.5, "0", Number.MAX_SAFE_INTEGER, Number.NaN], [0, 1, 2, 3, 4]],
  ])("with %s for an index gets the next free one", async (_, given, expected) => {
    const processor = processorWith();
    processor.onStart(trajectorySpan("t"));
    for (const index of given) {
      const span = stepSpan("t", 0, { before: "a", after: "b" }, { attributes: { "asv.step.index": index } });
      end(processor, span);
    }
    const report = await processor.shutdown();
    expect(report).toMatchObject({ written: given.length, dropped: 0 });
    expect(problems).toEqual(["index_reassigned"]);
    const { runs } = await readBack(file());
    expect(runs[0]!.steps.map(({ index }) => index)).toEqual(expected);
    expect(new Set(runs[0]!.steps.map(({ stepId }) => stepId)).size).toBe(given.length);
  });

  it("of another writer keeps its step id where that is free", async () => {
    const processor = processorWith();
    processor.onStart(trajectorySpan("t", { scope: "other" }));
    ["plan", "plan", "", "7-zz"].forEach((id, index) => {
      end(processor, stepSpan("t", index, {}, { scope: "other", attributes: { "asv.step.id": id } }));
    });
    await processor.shutdown();
    const ids = steps().map((step) => step["step_id"] as string);
    expect(ids[0]).toBe("plan");
    expect(ids.slice(1).every((id, i) => id.startsWith(`${i + 1}-`))).toBe(true);
  });
});

function lineFeedState(): Record<string, unknown> {
  const text = '{"blocks":[\n{"kind":"other","text":"b"}]}';
  return {
    "asv.state.after": text,
    "asv.state.after.length": text.length,
    "asv.state.after.sha256": sha256(text),
  };
}

describe("a state of another writer", () => {
  const foreign = (text: string, more: Record<string, unknown> = {}) =>
    stepSpan("t", 0, {}, { scope: "other", attributes: { "asv.state.after": text, ...more } });

  it("keeps its form and digest where there is nothing to redact", async () => {
    const processor = processorWith();
    const text = '{"draft":"the answer is in the log","notes":["a",1,null]}';
    startAndEnd(processor, foreign(text, { "asv.state.after.sha256": sha256(text) }));
    await processor.shutdown();
    expect(steps()[0]).toMatchObject({
      after_sha256: sha256(text),
      state_after: JSON.parse(text),
      redaction: { policy: "default", version: "phi-2", hits: {} },
    });
  });

  it("is put into canonical form, with its digest", async () => {
    const processor = processorWith();
    startAndEnd(processor, foreign('{ "b": 1.0,\n "a": "\\u0041" }'));
    await processor.shutdown();
    expect(steps()[0]).toMatchObject({ after_sha256: sha256('{"a":"A","b":1}') });
    expect((await readBack(file())).runs[0]!.steps[0]!.stateAfter).toEqual({ a: "A", b: 1 });
  });

  it.each([
    ["no JSON", "plain words", {}],
    ["cut JSON", '{"notes":"cut he', {}],
    ["no object", "[1,2]", {}],
    ["too long", JSON.stringify({ notes: "x".repeat(300_000) }), {}],
    ["another length than declared", '{"a":1}', { "asv.state.after.length": 8 }],
    ["another digest than declared", '{"a":1}', { "asv.state.after.sha256": "0".repeat(64) }],
  ])("that is %s is left out", async (_, text, more) => {
    const processor = processorWith();
    startAndEnd(processor, foreign(text, more));
    expect(await processor.shutdown()).toMatchObject({ written: 1, damaged: 1 });
    expect(steps()[0]).toMatchObject({ damaged: ["state_after"] });
    expect(steps()[0]).not.toHaveProperty("state_after");
  });

  it("goes through the policy that was given; one that throws leaves no state", async () => {
    const processor = processorWith({
      policy: {
        name: "mine",
        project: (state) => {
          const { secret, ...rest } = state as Record<string, unknown>;
          if (secret === "throw") throw new Error("no");
          return rest;
        },
      },
    });
    startAndEnd(processor, foreign('{"a":"x","secret":"drop"}'));
    startAndEnd(processor, foreign('{"secret":"throw"}'));
    expect(await processor.shutdown()).toMatchObject({ written: 2, damaged: 1 });
    expect(steps()[0]).toMatchObject({ state_after: { a: "x" }, redaction: { policy: "mine" } });
    expect(readFileSync(file(), "utf8")).not.toContain("throw");
  });

  it("a secret has one placeholder in all states of a run", async () => {
    const processor = processorWith();
    processor.onStart(trajectorySpan("t", { scope: "other" }));
    const secrets = [
      "sk-proj-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa1",
      "sk-proj-bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb2",
    ];
    [0, 1, 0].forEach((which, index) => {
      const text = JSON.stringify({ notes: `key ${secrets[which]}` });
      end(processor, stepSpan("t", index, {}, { scope: "other", attributes: { "asv.state.after": text } }));
    });
    await processor.shutdown();
    const [a, b, c] = steps().map((step) => step["after_sha256"]);
    expect(a).toBe(c);
    expect(a).not.toBe(b);
  });
});

describe("a trajectory", () => {
  it("says what its span says, and a policy only of the recorder's own", async () => {
    const processor = processorWith();
    const attributes = {
      "asv.trajectory.parent_id": "p",
      "asv.task.id": "q",
      "asv.task.question": "which?",
      "asv.candidates.digest": "a".repeat(64),
      "asv.redaction.policy": "default/phi-2",
    };
    processor.onStart(trajectorySpan("own", { attributes }));
    processor.onStart(trajectorySpan("other", { attributes, scope: "other" }));
    await processor.shutdown();
    expect(records()[0]).toMatchObject({
      record: "open",
      trajectory_id: "own",
      created_at: "2027-01-15T08:00:00.000Z",
      task: { task_id: "q", question: "which?" },
      parent_trajectory_id: "p",
      candidates_sha256: "a".repeat(64),
      redaction_policy: "default/phi-2",
    });
    expect(records()[1]).toMatchObject({ trajectory_id: "other" });
    expect(records()[1]).not.toHaveProperty("redaction_policy");
  });

  it.each<[string, Record<string, unknown>, number, string]>([
    ["its own word", { "asv.trajectory.status": "partial:SIGTERM" }, 0, "partial:SIGTERM"],
    ["an error of its span", {}, 2, "error"],
    ["nothing", {}, 0, "complete"],
    ["what is no word", { "asv.trajectory.status": "Well, it went\nfine" }, 1, "complete"],
  ])("closes as %s says", async (_, attributes, code, expected) => {
    const processor = processorWith();
    const root = trajectorySpan("t", { attributes, status: { code } });
    startAndEnd(processor, root);
    await processor.shutdown();
    expect(records()[1]).toMatchObject({ record: "close", status: expected, step_count: 0 });
  });

  it("says how many of its steps did not come", async () => {
    const processor = processorWith();
    const root = trajectorySpan("t", {
      attributes: { "asv.trajectory.step_count": 3, "asv.redaction.count": 4 },
    });
    processor.onStart(root);
    startAndEnd(processor, stepSpan("t", 0, { before: "a", after: "b" }));
    end(processor, root);
    expect(problems).toEqual(["steps_missing"]);
    await processor.shutdown();
    expect(records()[2]).toMatchObject({ step_count: 1, missing_steps: 2, redaction_count: 4 });
  });

  it("of an unknown version is not read, and its steps count as dropped", async () => {
    const processor = processorWith();
    processor.onStart(trajectorySpan("t", { attributes: { "asv.schema.version": 2 } }));
    startAndEnd(processor, stepSpan("t", 0, { before: "a", after: "b" }));
    expect(await processor.shutdown()).toMatchObject({ written: 0, dropped: 1 });
    expect(problems).toEqual(["unknown_schema_version"]);
    expect(existsSync(file())).toBe(false);
  });

  it.each([["", undefined, 7, "x".repeat(257)]])("without a usable id is not recorded", async (...ids) => {
    const processor = processorWith();
    for (const id of ids) {
      startAndEnd(processor, trajectorySpan(id as string));
      startAndEnd(processor, stepSpan(id as string, 0));
    }
    expect(await processor.shutdown()).toMatchObject({ written: 0, dropped: 4 });
    expect(problems).toEqual(["unusable_id"]);
    expect(existsSync(file())).toBe(false);
  });

  it("whose id comes again after its end is kept under another", async () => {
    const processor = processorWith();
    for (let run = 0; run < 3; run++) {
      const root = trajectorySpan("t");
      processor.onStart(root);
      startAndEnd(processor, stepSpan("t", 0, { before: "a", after: `${run}` }, { parent: spanIdOf(root) }));
      end(processor, root);
    }
    await processor.shutdown();
    expect(problems).toEqual(["trajectory_repeated"]);
    const { runs } = await readBack(file());
    expect(runs.map(({ trajectoryId, status, steps: { length } }) => [trajectoryId, status, length])).toEqual(
      [
        ["t", "complete", 1],
        ["t.2", "complete", 1],
        ["t.3", "complete", 1],
      ],
    );
    expect(runs[1]!.extra).toMatchObject({ given_trajectory_id: "t" });
  });

  it("that shares its id with another at the same time is told from it by parent, then by trace", async () => {
    const processor = processorWith();
    const traces = ["a".repeat(32), "b".repeat(32), "c".repeat(32)];
    const roots = traces.map((traceId) => trajectorySpan("t", { traceId }));
    for (const root of roots) processor.onStart(root);
    for (let i = 0; i < 2; i++) {
      roots.forEach((root, which) => {
        const options =
          i === 0 ? { parent: spanIdOf(root) } : { traceId: traces[which]!, parent: "f".repeat(16) };
        startAndEnd(processor, stepSpan("t", i, { before: `${which}`, after: `${which}` }, options));
      });
    }
    // The middle one first: the others must still be found.
    for (const which of [1, 0, 2]) end(processor, roots[which]!);
    await processor.shutdown();
    const { runs } = await readBack(file());
    const found = runs.map(({ trajectoryId, status, steps: own }) => [
      trajectoryId,
      status,
      own
        .map(({ stateAfter }) => (stateAfter as never as { blocks: { text: string }[] }).blocks[0]!.text)
        .join(""),
    ]);
    expect(found).toHaveLength(3);
    expect(found).toEqual(
      expect.arrayContaining([
        ["t", "complete", "00"],
        ["t.2", "complete", "11"],
        ["t.3", "complete", "22"],
      ]),
    );
  });

  it("whose steps come before its own span is one run", async () => {
    const processor = processorWith();
    const step = stepSpan("t", 0, { before: "a", after: "b" });
    processor.onStart(step);
    const root = trajectorySpan("t", { attributes: { "asv.task.question": "which?" } });
    processor.onStart(root);
    end(processor, step);
    end(processor, root);
    await processor.shutdown();
    const { runs } = await readBack(file());
    expect(runs).toMatchObject([{ status: "complete", task: { question: "which?" }, steps: [{ index: 0 }] }]);
    expect(runs[0]!.extra).not.toHaveProperty("synthetic");
  });

  it.each([0, 2])("whose writer sets all attributes after the start, with %i steps", async (count) => {
    const processor = processorWith();
    const root = trajectorySpan("t", { scope: "other", attributes: { "asv.task.question": "which?" } });
    const late = (span: ProcessedSpan): ProcessedSpan => ({ ...span, attributes: {} });
    processor.onStart(late(root));
    for (let i = 0; i < count; i++) {
      const step = stepSpan("t", i, {}, { scope: "other", parent: spanIdOf(root) });
      processor.onStart(late(step));
      end(processor, step);
    }
    end(processor, root);
    await processor.shutdown();
    expect(problems).toEqual([]);
    const { runs } = await readBack(file());
    expect(runs).toMatchObject([{ trajectoryId: "t", status: "complete" }]);
    expect(runs[0]!.steps).toHaveLength(count);
    // Without steps its record waits for the end of its span, and then has all that the span says.
    expect(runs[0]!.task.question).toBe(count === 0 ? "which?" : "");
  });

  it("packs as any other file of live records", async () => {
    const processor = processorWith();
    const root = trajectorySpan("t");
    processor.onStart(root);
    startAndEnd(processor, stepSpan("t", 0, { before: "a", after: "b" }));
    end(processor, root);
    await processor.shutdown();
    const packed = await packTrajectories(file(), inFolder("packed.jsonl"));
    expect(packed).toEqual({ trajectories: 1, steps: 1, partial: 0 });
    expect((await readBack(inFolder("packed.jsonl"))).runs).toMatchObject([
      { trajectoryId: "t", status: "complete" },
    ]);
  });
});

describe("the file", () => {
  const oneRun = (processor: AsvSpanProcessor, id: string): void => {
    const root = trajectorySpan(id);
    processor.onStart(root);
    startAndEnd(processor, stepSpan(id, 0, { before: "a", after: "b" }, { parent: spanIdOf(root) }));
    end(processor, root);
  };

  it.each([
    ["a missing folder", () => inFolder("no/such/file.jsonl"), "ENOENT"],
    ["a folder", () => folder, "EISDIR"],
    ["a full disk", () => "/dev/full", "ENOSPC"],
  ])("%s: one message, the host runs on, steps count as dropped", async (_, path, code) => {
    const messages: string[] = [];
    const processor = asvSpanProcessor({ file: path(), onError: ({ message }) => messages.push(message) });
    oneRun(processor, "1");
    oneRun(processor, "2");
    expect(messages).toHaveLength(1);
    expect(messages[0]).toContain(code);
    expect(await processor.shutdown()).toMatchObject({ written: 0, dropped: 2 });
  });

  it("goes on where an earlier process stopped, without what that left of its last line", async () => {
    const first = processorWith();
    oneRun(first, "1");
    await first.shutdown();
    const whole = readFileSync(file(), "utf8");
    appendFileSync(file(), `{"schema_version":"asv.v1","record":"step","text":"${"x".repeat(9000)}`);
    const second = processorWith();
    oneRun(second, "2");
    await second.shutdown();
    expect(problems).toEqual(["torn_line"]);
    expect(readFileSync(file(), "utf8").startsWith(`${whole}{`)).toBe(true);
    const { runs, warnings } = await readBack(file());
    expect(runs.map(({ trajectoryId }) => trajectoryId)).toEqual(["1", "2"]);
    expect(warnings).toEqual([]);
  });

  it("ends a whole last line that lacks its line feed", async () => {
    const first = processorWith();
    oneRun(first, "1");
    await first.shutdown();
    writeFileSync(file(), readFileSync(file(), "utf8").slice(0, -1));
    const second = processorWith();
    oneRun(second, "2");
    await second.shutdown();
    expect(problems).toEqual([]);
    expect((await readBack(file())).runs).toHaveLength(2);
  });

  it("is shared by two processors of a process, and stays open until both let go", async () => {
    const [one, two] = [processorWith(), processorWith()];
    oneRun(one, "1");
    await one.shutdown();
    oneRun(two, "2");
    await two.shutdown();
    expect((await readBack(file())).runs.map(({ trajectoryId }) => trajectoryId)).toEqual(["1", "2"]);
  });

  it("is one open file for a recorder of the process too, torn end and all", async () => {
    appendFileSync(file(), '{"torn":');
    const processor = processorWith();
    const recorder = createRecorder({ file: file(), onError: ({ message }) => problems.push(message) });
    const run = recorder.trajectory({ id: "recorded" });
    oneRun(processor, "1");
    run.step({ action: { type: "a" }, before: { n: 0 } }).end({ after: { n: 1 } });
    run.close();
    await recorder.shutdown();
    oneRun(processor, "2");
    await processor.shutdown();
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain("torn last line of 8 bytes");
    const { runs, warnings } = await readBack(file());
    expect(runs.map(({ trajectoryId }) => trajectoryId)).toEqual(["1", "recorded", "2"]);
    expect(warnings).toEqual([]);
  });

  it("is another than a recorder's where both are given one pattern with {rand}", async () => {
    const pattern = inFolder("runs-{rand}.jsonl");
    const processor = processorWith({ file: pattern });
    const recorder = createRecorder({ file: pattern });
    recorder.trajectory({ id: "t" }).close();
    oneRun(processor, "t");
    await recorder.shutdown();
    await processor.shutdown();
    expect(readdirSync(folder)).toHaveLength(2);
  });

  it("has the process id in its name, and is synced where that was asked for", async () => {
    const processor = processorWith({ file: inFolder("a.{pid}.jsonl"), fsync: "trajectory" });
    oneRun(processor, "1");
    expect(await processor.forceFlush()).toMatchObject({ written: 1, errors: [] });
    await processor.shutdown();
    expect((await readBack(inFolder(`a.${process.pid}.jsonl`))).runs).toHaveLength(1);
  });
});

describe("the processor", () => {
  it("listens to the end of the process until the last one is shut down", async () => {
    const listeners = process.listenerCount("exit");
    const [one, two] = [processorWith(), processorWith()];
    expect(process.listenerCount("exit")).toBe(listeners + 1);
    await one.shutdown();
    expect(process.listenerCount("exit")).toBe(listeners + 1);
    await two.shutdown();
    expect(process.listenerCount("exit")).toBe(listeners);
  });

  it("records a span once, whatever happens between its onEnding and its onEnd", async () => {
    const processor = processorWith();
    processor.onStart(trajectorySpan("t"));
    const [first, second] = [
      stepSpan("t", 0, { before: "a", after: "b" }),
      stepSpan("t", 1, { before: "b", after: "c" }),
    ];
    processor.onStart(first);
    processor.onEnding(first);
    // A neighbour that begins a step of its own in its onEnd.
    processor.onStart(second);
    processor.onEnd(first);
    end(processor, second);
    expect(await processor.shutdown()).toMatchObject({ written: 2 });
    expect(steps().map(({ index }) => index)).toEqual([0, 1]);
  });

  it("closes a run by its own span only, not by one that began before the processor was there", async () => {
    const processor = processorWith();
    const stranger = trajectorySpan("t", { attributes: { "asv.trajectory.status": "error" } });
    const root = trajectorySpan("t");
    processor.onStart(root);
    end(processor, stranger);
    startAndEnd(processor, stepSpan("t", 0, { before: "a", after: "b" }));
    end(processor, root);
    await processor.shutdown();
    const { runs } = await readBack(file());
    expect(runs).toMatchObject([{ status: "complete", steps: [{ index: 0 }] }]);
    expect(runs[0]!.steps[0]!.extra).not.toHaveProperty("late");
  });

  it("drops and counts what ends after its shutdown, and says so once", async () => {
    const processor = processorWith();
    processor.onStart(trajectorySpan("t"));
    await processor.shutdown();
    startAndEnd(processor, stepSpan("t", 0));
    startAndEnd(processor, stepSpan("t", 1));
    expect(await processor.shutdown()).toMatchObject({ written: 0, dropped: 2 });
    expect(problems).toEqual(["after_shutdown"]);
  });

  it("warns on the console, once a kind of problem, where nobody listens", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    try {
      const processor = asvSpanProcessor({ file: folder });
      for (let i = 0; i < 5; i++) startAndEnd(processor, stepSpan("t", i));
      await processor.shutdown();
      expect(warn).toHaveBeenCalledTimes(1);
      expect(warn.mock.calls[0]![0]).toMatch(/^asv span processor: cannot write /);
    } finally {
      warn.mockRestore();
    }
  });

  it.each<[string, () => unknown]>([
    [
      "throws",
      () => {
        throw new Error("handler");
      },
    ],
    ["rejects", () => Promise.reject(new Error("handler"))],
  ])("goes on where the error handler %s", async (_, onError) => {
    const processor = asvSpanProcessor({ file: folder, onError: onError as () => void });
    startAndEnd(processor, stepSpan("t", 0));
    expect(await processor.shutdown()).toMatchObject({ dropped: 1 });
  });

  it("a run that was closed for others, and ends when 5,000 more have come and gone: the file reads", async () => {
    const processor = processorWith({ maxOpenTrajectories: 1 });
    const roots = ["quiet", "busy"].map((id) => trajectorySpan(id));
    for (const root of roots) processor.onStart(root);
    startAndEnd(processor, stepSpan("busy", 0, { before: "a", after: "b" }));
    const slow = stepSpan("busy", 1, { before: "b", after: "c" });
    processor.onStart(slow);
    for (let i = 0; i < 5000; i++) startAndEnd(processor, trajectorySpan(`t${i}`));
    // Both were evicted, and are forgotten by now.
    end(processor, slow);
    for (const root of roots) end(processor, root);
    startAndEnd(processor, trajectorySpan("quiet"));
    await processor.shutdown();
    const { runs, warnings } = await readBack(file());
    expect(warnings).toEqual([]);
    const found = new Map(runs.map((run) => [run.trajectoryId, run]));
    expect(found.get("quiet")).toMatchObject({ status: "partial:evicted", steps: [] });
    expect(found.get("quiet.2")).toMatchObject({ status: "complete" });
    expect(found.get("busy")).toMatchObject({ steps: [{ index: 0 }] });
    expect(found.get("busy.2")).toMatchObject({
      steps: [{ index: 1 }],
      extra: { given_trajectory_id: "busy" },
    });
    expect(runs).toHaveLength(5004);
  });

  it("holds 256 interrupted runs and closes the oldest beyond", async () => {
    const processor = processorWith();
    for (let i = 0; i < 300; i++) {
      startAndEnd(
        processor,
        trajectorySpan(`t${i}`, { attributes: { "asv.trajectory.status": "interrupted" } }),
      );
    }
    expect(records().filter(({ record }) => record === "close")).toHaveLength(44);
    await processor.shutdown();
    const { runs } = await readBack(file());
    expect(runs.filter(({ status }) => status === "interrupted")).toHaveLength(300);
  });

  it.each<[string, unknown, string]>([
    ["no options", undefined, "file"],
    ["an empty path", { file: "" }, "file"],
    ["fsync always", { file: "a", fsync: "always" }, "fsync"],
    ["a handler that is none", { file: "a", onError: 1 }, "onError"],
    ["no time at all", { file: "a", maxOpenMs: 0 }, "maxOpenMs"],
    ["no room at all", { file: "a", maxOpenTrajectories: Number.NaN }, "maxOpenTrajectories"],
    ["an unknown rule", { file: "a", policy: { without: ["no-such-rule"] } }, "policy.without"],
  ])("refuses %s", (_, options, argument) => {
    expect(() => asvSpanProcessor(options as SpanProcessorOptions)).toThrow(
      expect.objectContaining({ code: "invalid_argument", fields: expect.objectContaining({ argument }) }),
    );
  });
});
