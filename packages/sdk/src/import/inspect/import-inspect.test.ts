import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { freezeCandidates } from "../../candidates/index.ts";
import type { JsonObject, JsonValue } from "../../schema/index.ts";
import {
  breaksOf,
  documents,
  importedAll,
  importedOne,
  linesOf,
  statesText,
  typesOf,
} from "../importing.test-support.ts";
import { sharedFile } from "../../testing/shared-data.ts";
import { importInspect } from "./import-inspect.ts";

const question = { id: "q1", role: "user", content: "Which city?", source: "input" };
const system = { id: "s1", role: "system", content: "attachment://a1" };
const asks = {
  id: "m1",
  role: "assistant",
  content: "",
  tool_calls: [{ id: "c1", function: "find", arguments: { q: "attachment://a2" }, type: "function" }],
};
const found = { id: "m2", role: "tool", function: "find", tool_call_id: "c1", content: "a thousand years" };
const answer = { id: "m3", role: "assistant", content: "Kyoto" };
const attachments = { a1: "You are kind.", a2: "the old capital of the whole country" };

const model = (input: JsonValue[], message: JsonValue, over: JsonObject = {}): JsonObject => ({
  event: "model",
  uuid: `u-${input.length}`,
  model: "m",
  input,
  output: { choices: [{ message }], usage: { input_tokens: 5, output_tokens: 2 }, time: 0.5 },
  ...over,
});
const tool = (over: JsonObject = {}): JsonObject => ({
  event: "tool",
  id: "c1",
  function: "find",
  arguments: { q: "attachment://a2" },
  result: "a thousand years",
  ...over,
});
const span = (id: string, type: string, parent?: string): JsonObject => ({
  event: "span_begin",
  id,
  type,
  name: type,
  span_id: id,
  ...(parent === undefined ? {} : { parent_id: parent }),
});

const init: JsonObject = {
  event: "sample_init",
  sample: { input: "Which city?", target: "Kyoto" },
  state: { messages: [question], store: {}, output: {}, metadata: { answer: "Kyoto" } },
};
const addSystem: JsonObject = {
  event: "state",
  changes: [{ op: "add", path: "/messages/0", value: system }],
};
const messages = [system, question, asks, found, answer];
const events: JsonObject[] = [
  init,
  addSystem,
  model([system, question], asks),
  tool(),
  model([system, question, asks, found], answer),
  {
    event: "state",
    changes: [asks, found, answer].map((value) => ({ op: "add", path: "/messages/-", value })),
  },
];
const sample = (over: JsonObject = {}): JsonObject => ({
  id: 1,
  epoch: 1,
  input: "Which city?",
  target: " Kyoto",
  choices: ["Nara", " Kyoto "],
  messages,
  events,
  attachments,
  scores: { match: { value: "C", answer: "Kyoto", explanation: "as wanted" } },
  metadata: { answer: "Kyoto" },
  store: {},
  ...over,
});
const evalLog = (...samples: JsonObject[]) => ({
  version: 2,
  status: "success",
  eval: { task: "cities", model: "m" },
  samples,
});

describe("importInspect", () => {
  it("makes steps of model and tool calls, with the states the log records", async () => {
    const { trajectory, report } = await importedOne(importInspect, evalLog(sample()));
    expect(trajectory).toMatchObject({
      trajectoryId: "inspect/cities/1",
      success: true,
      metadata: { task: "cities", model: "m", epoch: 1, state_source: "state_events", fidelity: "recorded" },
      task: { question: "Which city?" },
    });
    expect(typesOf(trajectory)).toEqual(["generate", "find", "generate"]);
    expect(linesOf(trajectory.steps[0]!.stateBefore)).toEqual([
      "message/system: You are kind.",
      "task: Which city?",
    ]);
    expect(linesOf(trajectory.steps[2]!.stateAfter)).toEqual([
      "message/system: You are kind.",
      "task: Which city?",
      'tool_call/find: {"q":"the old capital of the whole country"}',
      "evidence/find: a thousand years",
      "answer/assistant: Kyoto",
    ]);
    expect(breaksOf(trajectory)).toEqual([]);
    expect(trajectory.steps[0]!.cost).toEqual({
      prompt_tokens: 5,
      completion_tokens: 2,
      tool_calls: 1,
      latency_ms: 500,
    });
    expect(report.warningCounts).toEqual({});
    expect(report.fidelity).toEqual({ recorded: 1 });
  });

  it("takes choices for candidates, without the space around them, and the target for gold", async () => {
    const { trajectory } = await importedOne(importInspect, evalLog(sample()));
    const { candidateSpace, question: asked } = trajectory.task;
    expect(candidateSpace).toEqual({
      type: "closed_set",
      candidates: [
        { id: "cand-1", text: "Nara" },
        { id: "cand-2", text: "Kyoto" },
      ],
      goldCandidateId: "cand-2",
      labelSource: "inspect",
    });
    expect(freezeCandidates(candidateSpace, asked).review?.reviewer).toBe("labels of inspect");
  });

  it.each<[string, JsonObject, string | undefined, Record<string, number>]>([
    ["a letter", { target: "B" }, "cand-2", {}],
    ["a choice that is itself a letter", { choices: ["B", "A"], target: "A" }, "cand-2", {}],
    ["a letter beyond the choices", { target: "D" }, undefined, { no_single_target: 1 }],
    ["several targets", { target: ["A", "B"] }, undefined, { no_single_target: 1 }],
    ["no target", { target: "" }, undefined, {}],
    ["a list of one", { target: [" A "] }, "cand-1", {}],
  ])("reads %s", async (_, over, gold, warnings) => {
    const { trajectory, report } = await importedOne(importInspect, evalLog(sample(over)));
    expect(trajectory.task.candidateSpace.goldCandidateId).toBe(gold);
    expect(report.warningCounts).toEqual(warnings);
  });

  it("takes the log's targets for candidates where they come again and again", async () => {
    const open = (id: number, target: string) => {
      const { choices: _, ...rest } = sample({ id, target });
      return rest;
    };
    const { trajectories, report } = await importedAll(
      importInspect(documents(evalLog(open(1, " Yes"), open(2, " No"), open(3, "yes")))),
    );
    expect(trajectories.map(({ task }) => task.candidateSpace.goldCandidateId)).toEqual([
      "cand-2",
      "cand-1",
      "cand-2",
    ]);
    expect(trajectories[0]!.task.candidateSpace.candidates.map(({ text }) => text)).toEqual(["No", "Yes"]);
    expect(report.warningCounts).toEqual({});
    // Two different targets of two samples are two answers, and no set.
    const few = await importedAll(importInspect(documents(evalLog(open(1, "Yes"), open(2, "No")))));
    expect(few.trajectories[0]!.task.candidateSpace.candidates).toEqual([]);
    expect(few.report.warningCounts).toEqual({ target_without_candidates: 2, no_candidates: 2 });
  });

  it.each([[["one"]], [["a", " a "]], [["a", ""]], [Array.from({ length: 40 }, (_, i) => `c${i}`)]])(
    "does not use choices it cannot use: %j",
    async (choices) => {
      const { trajectory, report } = await importedOne(importInspect, evalLog(sample({ choices })));
      expect(trajectory.task.candidateSpace.candidates).toEqual([]);
      expect(report.warningCounts).toEqual({
        bad_choices: 1,
        target_without_candidates: 1,
        no_candidates: 1,
      });
    },
  );

  it("keeps target, scores, sample metadata and everything a scorer did out of every state", async () => {
    const canary = "canary-gold-4711";
    const grading: JsonValue[] = [{ role: "user", content: `[Expert]: ${canary}` }];
    const { trajectory, report } = await importedOne(
      importInspect,
      evalLog(
        sample({
          target: canary,
          choices: ["Nara", canary],
          scores: { judge: { value: "C", explanation: canary } },
          metadata: { answer: canary },
          store: { target: canary },
          events: [
            {
              ...init,
              sample: { target: canary },
              state: { messages: [question], metadata: { answer: canary }, target: canary },
            },
            ...events.slice(1, 4),
            // Before the last step, which shows the store.
            {
              event: "store",
              changes: [
                { op: "add", path: "/page", value: "shown" },
                { op: "add", path: "/target", value: canary },
              ],
            },
            ...events.slice(4),
            span("scorers", "scorers"),
            span("judge", "scorer", "scorers"),
            span("inside", "agent", "judge"),
            model(grading, { role: "assistant", content: canary }, { span_id: "inside" }),
            tool({ span_id: "judge", result: canary }),
            {
              event: "state",
              span_id: "judge",
              changes: [{ op: "add", path: "/messages/-", value: grading }],
            },
            { event: "score", span_id: "judge", score: { value: "C" }, target: canary },
            { event: "step", action: "begin", type: "scorer", name: "old" },
            model(grading, { role: "assistant", content: canary }),
            { event: "step", action: "end", type: "scorer", name: "old" },
            model(grading, { role: "assistant", content: canary }, { role: "grader" }),
          ],
        }),
      ),
    );
    expect(trajectory.steps).toHaveLength(3);
    expect(statesText(trajectory)).toContain("shown");
    expect(statesText(trajectory)).not.toContain(canary);
    expect(JSON.stringify(trajectory.metadata)).not.toContain(canary);
    expect(trajectory.task.question).not.toContain(canary);
    expect(report.warningCounts).toEqual({ scorer_refused: 1 });
    expect(report.warnings[0]!.message).toContain("4 calls of scorers");
  });

  it("shows the store, and what changed in it", async () => {
    const { trajectory } = await importedOne(
      importInspect,
      evalLog(
        sample({
          events: [
            ...events.slice(0, 4),
            { event: "store", changes: [{ op: "add", path: "/page", value: "attachment://a2" }] },
            events[4]!,
          ],
        }),
      ),
    );
    expect(linesOf(trajectory.steps[1]!.stateAfter).at(-1)).toBe("evidence/find: a thousand years");
    expect(linesOf(trajectory.steps[2]!.stateBefore).at(-1)).toBe(
      'other/store: {"page":"the old capital of the whole country"}',
    );
    expect(linesOf(trajectory.steps[2]!.stateAfter).slice(-2)).toEqual([
      "answer/assistant: Kyoto",
      'other/store: {"page":"the old capital of the whole country"}',
    ]);
    expect(trajectory.steps.map(({ discontinuity }) => discontinuity ?? false)).toEqual([false, false, true]);
  });

  it("reads inputs that refer to the sample's pool of messages", async () => {
    const pooled = events.map((event) =>
      event["event"] === "model"
        ? {
            ...event,
            input: [],
            input_refs:
              (event["input"] as unknown[]).length === 2 ? [[0, 2]] : [[0, 1], [1, 4], [9, 1e9], "x"],
          }
        : event,
    ) as JsonObject[];
    const { trajectory, report } = await importedOne(
      importInspect,
      evalLog(sample({ events: pooled, events_data: { messages: messages.slice(0, 4), calls: [] } })),
    );
    const plain = await importedOne(importInspect, evalLog(sample()));
    expect(statesText(trajectory)).toBe(statesText(plain.trajectory));
    expect(report.warningCounts).toEqual({});
  });

  it("puts the result of an agent that ran as a tool after what it did", async () => {
    const { trajectory } = await importedOne(
      importInspect,
      evalLog(
        sample({
          events: [
            init,
            model([question], asks),
            span("t", "tool"),
            tool({ span_id: "t", agent: "helper" }),
            span("a", "agent", "t"),
            model(
              [{ role: "user", content: "sub" }],
              { role: "assistant", content: "sub answer" },
              { span_id: "a", uuid: "x" },
            ),
            { event: "span_end", id: "a" },
            { event: "span_end", id: "t" },
            model([question, asks, found], answer, { uuid: "x" }),
          ],
        }),
      ),
    );
    expect(typesOf(trajectory)).toEqual(["generate", "generate", "find", "generate"]);
    expect(trajectory.steps.map(({ stepId }) => stepId)).toEqual(["u-1", "x", "event-2", "event-4"]);
  });

  it("reads events in events of older logs, failed tools and calls that never came back", async () => {
    const { trajectory, report } = await importedOne(
      importInspect,
      evalLog(
        sample({
          messages: [],
          events: [
            { event: "subtask", events: [model([question], asks)] },
            tool({
              result: "",
              error: { type: "timeout", message: "too late" },
              events: [model([question], { role: "assistant", content: "inner" })],
            }),
            tool({ pending: true }),
            model([question], answer, { error: "rate limit" }),
            model([question], null as never),
          ],
        }),
      ),
    );
    expect(typesOf(trajectory)).toEqual(["generate", "generate", "find"]);
    expect(linesOf(trajectory.steps[2]!.stateAfter).at(-1)).toBe("other/find: too late");
    expect(trajectory.steps[2]!.extra).toEqual({ kind: "tool", status: "error" });
    expect(report.warningCounts).toEqual({ no_output: 1 });
    expect(report.warnings[0]!.message).toContain("3 calls failed or never came back");
  });

  it("says which changes of state do not fit, and goes on with the inputs of calls", async () => {
    const broken = events.map((event) =>
      event === addSystem ? { event: "state", changes: [{ op: "remove", path: "/nothing" }] } : event,
    );
    const { trajectory, report } = await importedOne(importInspect, evalLog(sample({ events: broken })));
    expect(report.warningCounts).toEqual({ bad_patch: 1 });
    expect(trajectory.metadata["state_source"]).toBe("model_input");
    expect(linesOf(trajectory.steps[0]!.stateBefore)).toEqual([
      "message/system: You are kind.",
      "task: Which city?",
    ]);
  });

  it("makes turns of messages where a sample has no events, and says where events and messages differ", async () => {
    const bare = await importedOne(importInspect, evalLog(sample({ events: [] })));
    expect(typesOf(bare.trajectory)).toEqual(["find", "respond"]);
    expect(bare.trajectory.metadata).toMatchObject({ state_source: "messages", fidelity: "reconstructed" });
    expect(bare.report.warningCounts).toEqual({ no_events: 1 });
    const other = await importedOne(importInspect, evalLog(sample({ messages: [question, answer] })));
    expect(other.report.warningCounts).toEqual({ differs_from_messages: 1 });
    const gone = await importedOne(importInspect, evalLog(sample({ attachments: {} })));
    expect(gone.report.warningCounts).toEqual({ missing_attachment: 1 });
    expect(linesOf(gone.trajectory.steps[0]!.stateBefore)[0]).toBe("message/system: attachment://a1");
  });

  it("reads inputs of messages, epochs, bare samples and headers without samples", async () => {
    const { trajectories, report } = await importedAll(
      importInspect(
        documents(
          evalLog(
            sample({ input: [system, { role: "user", content: "first" }, question], epoch: 2 }),
            sample(),
          ),
          sample({ id: "lone" }),
          { version: 2, eval: { task: "cities" } },
        ),
      ),
    );
    expect(trajectories.map(({ trajectoryId, task }) => [trajectoryId, task.taskId, task.question])).toEqual([
      ["inspect/cities/1/2", "inspect/cities/1", "Which city?"],
      ["inspect/cities/1", "inspect/cities/1", "Which city?"],
      ["inspect/task/lone", "inspect/task/lone", "Which city?"],
    ]);
    expect(report.warningCounts).toEqual({ no_samples: 1 });
  });

  it.each<[JsonObject, object]>([
    [{ scores: { match: { value: "I" } } }, { success: false }],
    [{ scores: { match: { value: 0.4 } } }, { finalScore: 0.4 }],
    [{ scores: { a: { value: "C" }, b: { value: "I" } } }, {}],
    [{ scores: { a: { value: { x: 1 } } } }, {}],
    [{ scores: null, error: { message: "boom" } }, { status: "error" }],
  ])("keeps the outcome %j for the owner", async (over, outcome) => {
    const { trajectory } = await importedOne(importInspect, evalLog(sample(over)));
    const { success, finalScore, status } = trajectory;
    expect(JSON.parse(JSON.stringify({ success, finalScore, status }))).toEqual(outcome);
  });

  it.each<[unknown, RegExp]>([
    [7, /^runs\.json:1: must be an Inspect eval log/],
    [{ samples: {} }, /field samples:/],
    [{ eval: {}, samples: [{ id: 1 }] }, /field samples\[0\]: must be a sample/],
    [{ other: 1 }, /field samples:/],
  ])("refuses %j with its place", async (document, message) => {
    await expect(importedOne(importInspect, document)).rejects.toMatchObject({
      code: "invalid_record",
      message: expect.stringMatching(message),
    });
  });

  it("reads a transcript of 3,000 calls whose inputs come from the pool", async () => {
    const pool: JsonObject[] = [question];
    const long = (i: number): string => `result ${i} `.padEnd(500, "x");
    const many: JsonObject[] = [init];
    for (let i = 0; i < 1_500; i++) {
      const call = {
        role: "assistant",
        content: "",
        tool_calls: [{ id: `c${i}`, function: "find", arguments: { i } }],
      };
      many.push({ ...model([], call), uuid: `u${i}`, input_refs: [[0, pool.length]] });
      many.push(tool({ arguments: { i }, result: long(i) }));
      pool.push(call, { role: "tool", tool_call_id: `c${i}`, function: "find", content: long(i) });
    }
    const { trajectory, report } = await importedOne(
      importInspect,
      evalLog(sample({ events: many, messages: [], events_data: { messages: pool } })),
    );
    expect(trajectory.steps).toHaveLength(3_000);
    expect(trajectory.steps.some(({ discontinuity }) => discontinuity)).toBe(false);
    expect(report.warningCounts).toEqual({});
  });
});

const read = (file: string | undefined): unknown => JSON.parse(readFileSync(file!, "utf8"));
const real = sharedFile("data/traces/inspect-popularity.log.json");

describe.skipIf(real === undefined)("the real Inspect log", () => {
  it("gives three samples with trimmed targets, one of them answered wrongly", async () => {
    const { trajectories, report } = await importedAll(importInspect(documents(read(real))));
    expect(report).toMatchObject({ trajectories: 3, steps: 3, fidelity: { recorded: 3 }, warningCounts: {} });
    const outcome = trajectories.map(({ task, success }) => {
      const { candidates, goldCandidateId } = task.candidateSpace;
      return [candidates.find(({ id }) => id === goldCandidateId)!.text, success];
    });
    expect(outcome).toEqual([
      ["Yes", true],
      ["No", true],
      ["Yes", false],
    ]);
    for (const trajectory of trajectories) {
      expect(trajectory.metadata["state_source"]).toBe("state_events");
      expect(linesOf(trajectory.steps[0]!.stateBefore).map((line) => line.split(":")[0])).toEqual([
        "message/system",
        "task",
      ]);
      for (const hidden of ["label_confidence", "0.88", "attachment://", "match"]) {
        expect(statesText(trajectory)).not.toContain(hidden);
      }
    }
  });
});
