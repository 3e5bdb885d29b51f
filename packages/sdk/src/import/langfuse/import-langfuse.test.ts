import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../schema/index.ts";
import {
  blocksOf,
  breaksOf,
  documents,
  importedAll,
  importedOne,
  linesOf,
  statesText,
  typesOf,
} from "../importing.test-support.ts";
import { sharedFile } from "../../testing/shared-data.ts";
import { importLangfuse } from "./import-langfuse.ts";

const at = (ms: number) => new Date(Date.UTC(2025, 0, 1) + ms).toISOString();

/** An observation as the API gives it; input and output become JSON text, as exports have them. */
function observation(id: string, type: string, over: JsonObject & { ms?: number; for?: number } = {}) {
  const { ms = 0, for: lasts = 1, input, output, parent = null, ...rest } = over;
  return {
    id,
    traceId: "t1",
    parentObservationId: parent,
    type,
    name: id,
    startTime: at(ms),
    endTime: at(ms + lasts),
    level: "DEFAULT",
    input: input === undefined ? null : JSON.stringify(input),
    output: output === undefined ? null : JSON.stringify(output),
    metadata: JSON.stringify({
      resourceAttributes: { "host.name": "secret-host" },
      scope: { attributes: { public_key: "pk-lf-canary" } },
    }),
    ...rest,
  };
}

const user = { role: "user", content: "Which city?" };
const asks = (id: string, q: string) => ({
  role: "assistant",
  content: "",
  tool_calls: [{ id, type: "function", function: { name: "find", arguments: JSON.stringify({ q }) } }],
});
const finds = (id: string, content: string) => ({ role: "tool", tool_call_id: id, content });
const answer = { role: "assistant", content: "Kyoto" };

const observations = [
  observation("last", "GENERATION", {
    ms: 30,
    input: [user, asks("c1", "old"), finds("c1", "a thousand years")],
    output: answer,
    usageDetails: { input: 7, output: 2 },
  }),
  observation("find", "TOOL", { ms: 20, input: { q: "old" }, output: "a thousand years" }),
  observation("first", "GENERATION", { ms: 10, for: 5, input: [user], output: asks("c1", "old") }),
  observation("root", "SPAN", { ms: 0, for: 90, input: { question: "Which city?" }, output: "Kyoto" }),
];
const trace = { id: "t1", name: "run", input: JSON.stringify({ question: "Which city?" }), scores: [] };
const found = (list: unknown[], over: JsonObject = {}) => ({
  trace: { ...trace, ...over },
  observations: list,
});

describe("importLangfuse", () => {
  it("makes steps of model and tool calls, in order of time and not of the file", async () => {
    const { trajectory, report } = await importedOne(importLangfuse, found(observations));
    expect(trajectory).toMatchObject({
      trajectoryId: "langfuse/t1",
      metadata: { trace_name: "run", state_source: "model_input", fidelity: "recorded" },
      task: { question: "Which city?" },
    });
    expect(trajectory.steps.map(({ stepId, extra }) => [stepId, extra])).toEqual([
      ["first", { kind: "llm" }],
      ["find", { kind: "tool" }],
      ["last", { kind: "llm" }],
    ]);
    expect(linesOf(trajectory.steps[0]!.stateBefore)).toEqual(["task: Which city?"]);
    expect(linesOf(trajectory.steps[2]!.stateAfter)).toEqual([
      "task: Which city?",
      'tool_call/find: {"q":"old"}',
      "evidence/find: a thousand years",
      "answer/assistant: Kyoto",
    ]);
    expect(breaksOf(trajectory)).toEqual([]);
    expect(trajectory.steps[0]!.cost).toEqual({ tool_calls: 1, latency_ms: 5 });
    expect(trajectory.steps[2]!.cost).toEqual({
      prompt_tokens: 7,
      completion_tokens: 2,
      tool_calls: 0,
      latency_ms: 1,
    });
    expect(report.warningCounts).toEqual({ no_candidates: 1 });
    expect(report.fidelity).toEqual({ recorded: 1 });
  });

  it.each<[string, unknown]>([
    ["the API's trace", { ...trace, observations }],
    ["a list of traces", [found(observations)]],
    ["a page of the API", { data: observations }],
    ["a list of observations", observations],
    [
      "a trace with stripped copies of its observations",
      found(observations, { observations: observations.map((o) => ({ ...o, input: null, output: null })) }),
    ],
    [
      "a table export in snake case",
      observations.map(({ traceId, parentObservationId, startTime, endTime, ...rest }) => ({
        ...rest,
        trace_id: traceId,
        parent_observation_id: parentObservationId,
        start_time: startTime.replace("T", " ").replace("Z", ""),
        end_time: endTime.replace("T", " ").replace("Z", ""),
      })),
    ],
  ])("reads %s alike", async (_, document) => {
    const { trajectory } = await importedOne(importLangfuse, document);
    expect(typesOf(trajectory)).toEqual(["first", "find", "last"]);
    expect(trajectory.task.question).toBe("Which city?");
    expect(statesText(trajectory)).toBe(
      statesText((await importedOne(importLangfuse, found(observations))).trajectory),
    );
  });

  it("collects rows of a trace from all lines", async () => {
    const rows = observations.flatMap((o) => [o, { ...o, id: `${o.id}-2`, traceId: "t2" }]);
    const { trajectories, report } = await importedAll(importLangfuse(documents(...rows)));
    expect(trajectories.map(({ trajectoryId, steps }) => [trajectoryId, steps.length])).toEqual([
      ["langfuse/t1", 3],
      ["langfuse/t2", 3],
    ]);
    expect(report.records).toBe(8);
  });

  it("reads inputs that Python printed, and JSON in JSON", async () => {
    const { trajectory } = await importedOne(
      importLangfuse,
      found(
        [
          observation("find", "TOOL", { ms: 20, input: null, output: null }),
          observation("first", "GENERATION", { ms: 10, input: [user], output: asks("c1", "it's") }),
        ].map((o) =>
          o.id === "find"
            ? { ...o, input: `{'q': "it's"}`, output: JSON.stringify(JSON.stringify({ b: 1, a: 2 })) }
            : o,
        ),
      ),
    );
    expect(linesOf(trajectory.steps[1]!.stateAfter)).toEqual([
      "task: Which city?",
      `tool_call/find: {"q":"it's"}`,
      'evidence/find: {"a":2,"b":1}',
    ]);
  });

  it("tells a tool that is filed under SPAN, and leaves out what a graph does between nodes", async () => {
    const { trajectory, report } = await importedOne(
      importLangfuse,
      found([
        observation("graph", "SPAN", {
          ms: 0,
          for: 99,
          input: { messages: [user] },
          output: { messages: [] },
        }),
        observation("agent", "SPAN", {
          ms: 1,
          for: 9,
          parent: "graph",
          input: { messages: [user] },
          output: {},
        }),
        observation("chat", "GENERATION", {
          ms: 2,
          parent: "agent",
          input: [user],
          output: asks("c1", "old"),
          metadata: { langgraph_node: "think", langgraph_step: 1 },
        }),
        observation("should_continue", "SPAN", { ms: 5, parent: "agent", input: {}, output: "continue" }),
        observation("ChannelWrite<agent,messages>", "SPAN", {
          ms: 6,
          parent: "agent",
          input: {},
          output: {},
        }),
        observation("tools", "SPAN", { ms: 10, for: 9, parent: "graph", input: {}, output: {} }),
        observation("find", "SPAN", {
          ms: 11,
          parent: "tools",
          input: { q: "old" },
          output: { type: "tool", name: "find", content: "kept for a thousand years", tool_call_id: "c1" },
        }),
      ]),
    );
    expect(typesOf(trajectory)).toEqual(["think", "find"]);
    expect(linesOf(trajectory.steps[1]!.stateAfter).at(-1)).toBe("evidence/find: kept for a thousand years");
    expect(report.warningCounts).toEqual({ no_candidates: 1 });
  });

  it("folds a call that is recorded twice, but not what runs inside a tool", async () => {
    const { trajectory, report } = await importedOne(
      importLangfuse,
      found([
        observation("outer", "GENERATION", {
          ms: 0,
          for: 50,
          input: { prompt: "Which city?" },
          output: "Kyoto",
        }),
        observation("inner", "GENERATION", {
          ms: 1,
          parent: "outer",
          input: [user],
          output: asks("c1", "x"),
        }),
        observation("find", "TOOL", {
          ms: 3,
          for: 20,
          parent: "outer",
          input: { q: "x" },
          output: "deep result",
        }),
        observation("find-again", "TOOL", {
          ms: 4,
          for: 18,
          parent: "find",
          name: "find",
          input: { q: "x" },
          output: "deep result",
        }),
        observation("sub", "GENERATION", {
          ms: 5,
          parent: "find-again",
          input: [{ role: "user", content: "sub task" }],
          output: "sub result",
        }),
      ]),
    );
    // The tool's result came after what the agent inside it did, though it began before.
    expect(trajectory.steps.map(({ stepId }) => stepId)).toEqual(["inner", "sub", "find-again"]);
    expect(report.warnings[0]!.message).toContain("2 observations that record a call a second time");
    expect(trajectory.steps.map(({ discontinuity }) => discontinuity ?? false)).toEqual([false, true, false]);
    expect(breaksOf(trajectory)).toEqual([1]);
  });

  it("accumulates where later inputs hold only results, or nothing to read", async () => {
    const { trajectory, report } = await importedOne(
      importLangfuse,
      found([
        observation("one", "GENERATION", { ms: 1, input: [user], output: asks("c1", "x") }),
        observation("find", "TOOL", { ms: 2, input: { q: "x" }, output: "found" }),
        observation("two", "GENERATION", { ms: 3, input: [finds("c1", "found")], output: asks("c2", "y") }),
        observation("three", "GENERATION", { ms: 4, input: [finds("c2", "more")], output: "so" }),
        observation("four", "GENERATION", { ms: 5, input: { content: "role" }, output: answer }),
      ]),
    );
    expect(linesOf(trajectory.steps[4]!.stateAfter)).toEqual([
      "task: Which city?",
      'tool_call/find: {"q":"x"}',
      "evidence/find: found",
      'tool_call/find: {"q":"y"}',
      "evidence/find: more",
      "answer/assistant: so",
      "answer/assistant: Kyoto",
    ]);
    expect(trajectory.metadata).toMatchObject({ state_source: "accumulated", fidelity: "reconstructed" });
    expect(report.warningCounts).toEqual({ input_partial: 1, input_unreadable: 1, no_candidates: 1 });
    // "more" came between two and three without an observation of its own.
    expect(breaksOf(trajectory)).toEqual([3]);
    expect(trajectory.steps[3]!.discontinuity).toBe(true);
  });

  it("says so where the conversation was rewritten in between", async () => {
    const { trajectory } = await importedOne(
      importLangfuse,
      found([
        observation("one", "GENERATION", { ms: 1, input: [user], output: "a long thought" }),
        observation("two", "GENERATION", {
          ms: 2,
          input: [{ role: "system", content: "summary" }, user],
          output: answer,
        }),
      ]),
    );
    expect(breaksOf(trajectory)).toEqual([1]);
    expect(trajectory.steps[1]!.discontinuity).toBe(true);
    expect(linesOf(trajectory.steps[1]!.stateBefore)).toEqual([
      "message/system: summary",
      "task: Which city?",
    ]);
  });

  it("keeps answer keys, scores, evaluators and metadata out of every state", async () => {
    const canary = "canary-gold-4711";
    const judged = [
      ...observations,
      observation("judge", "EVALUATOR", {
        ms: 40,
        parent: "root",
        input: { expected: canary },
        output: canary,
      }),
      observation("grade", "GENERATION", {
        ms: 41,
        parent: "judge",
        input: [{ role: "user", content: canary }],
        output: canary,
      }),
    ].map((o) => ({ ...o, expectedOutput: canary, scores: [{ value: canary }] }));
    const { trajectories, report } = await importedAll(
      importLangfuse(
        documents(
          found(judged, {
            scores: [{ name: "correctness", value: 1, comment: canary }],
            expectedOutput: canary,
            metadata: JSON.stringify({ expected_output: canary, resourceAttributes: { key: "secret-host" } }),
          }),
          found(judged, { id: "t2", environment: "langfuse-llm-as-a-judge" }),
          found([
            observation("one", "GENERATION", {
              ms: 1,
              input: [
                {
                  role: "user",
                  content: JSON.stringify({ question: "Q", expected_output: canary, gold: canary }),
                },
              ],
              output: { role: "assistant", content: "a", final_score: canary, raw_response: canary },
            }),
          ]),
        ),
      ),
    );
    expect(trajectories).toHaveLength(2);
    for (const trajectory of trajectories) {
      const everything = JSON.stringify(trajectory);
      for (const hidden of [canary, "secret-host", "pk-lf-canary"]) expect(everything).not.toContain(hidden);
    }
    expect(report.warningCounts).toMatchObject({ scores_refused: 1, evaluation_refused: 2 });
  });

  it("gives a secret one placeholder in a whole trajectory, its question included", async () => {
    const secret = "password=hunter-2-x9Q7";
    const { trajectory } = await importedOne(
      importLangfuse,
      found(
        [
          observation("one", "GENERATION", {
            ms: 1,
            input: [{ role: "user", content: `log in with ${secret} please` }],
            output: `used ${secret} there`,
          }),
          observation("two", "TOOL", { ms: 2, input: { line: secret }, output: `${secret} again` }),
        ],
        { input: `log in with ${secret} please` },
      ),
    );
    const everything = JSON.stringify(trajectory);
    expect(everything).not.toContain("hunter-2");
    const placeholders = new Set(everything.match(/\[SECRET:[a-z-]+:\d+\]/g));
    expect(placeholders.size).toBe(1);
    expect(trajectory.task.question).toMatch(/^log in with .*\[SECRET:/);
    expect(Object.values(trajectory.redaction!.hits).reduce((a, b) => a + b, 0)).toBeGreaterThan(3);
  });

  it("copes with circles, strangers, equal and missing times, repeated and nameless observations", async () => {
    const { trajectory, report } = await importedOne(
      importLangfuse,
      found([
        observation("a", "SPAN", { ms: 1, parent: "b" }),
        observation("b", "SPAN", { ms: 1, parent: "a" }),
        observation("c", "GENERATION", { ms: 1, for: 0, input: [user], output: "one" }),
        observation("d", "GENERATION", {
          ms: 1,
          for: 0,
          parent: "gone",
          input: [user, { role: "assistant", content: "one" }],
          output: "two",
        }),
        { ...observation("e", "TOOL", { parent: "d", output: "late" }), startTime: null, endTime: "soon" },
        observation("e", "TOOL", { ms: 1 }),
        { type: "GENERATION" },
        7,
        observation("self", "SPAN", { parent: "self" }),
      ]),
    );
    expect(trajectory.steps.map(({ stepId }) => stepId)).toEqual(["c", "d", "e"]);
    expect(report.warningCounts).toEqual({
      bad_observation: 1,
      duplicate_observation: 1,
      missing_parent: 1,
      parent_cycle: 1,
      no_time: 1,
      no_candidates: 1,
    });
    expect(trajectory.steps[2]!.cost).toEqual({});
  });

  it("falls back on innermost spans where a trace names no call", async () => {
    const { trajectory, report } = await importedOne(
      importLangfuse,
      found([
        observation("root", "SPAN", { ms: 0, for: 9, input: { question: "Which city?" }, output: "Kyoto" }),
        observation("retrieve", "SPAN", {
          ms: 1,
          parent: "root",
          input: { q: "old" },
          output: { docs: ["a"] },
        }),
        observation("should_continue", "SPAN", { ms: 2, parent: "root", input: {}, output: "yes" }),
        observation("draft", "SPAN", { ms: 3, parent: "root", input: {}, output: "Kyoto", level: "ERROR" }),
        {
          ...observation("check", "SPAN", { ms: 4, parent: "root", input: {} }),
          level: "ERROR",
          statusMessage: "boom",
        },
      ]),
    );
    expect(typesOf(trajectory)).toEqual(["retrieve", "draft", "check"]);
    expect(linesOf(trajectory.steps[2]!.stateAfter)).toEqual([
      "task: Which city?",
      'tool_call/retrieve: {"q":"old"}',
      'evidence/retrieve: {"docs":["a"]}',
      "tool_call/draft: {}",
      "other/draft: Kyoto",
      "tool_call/check: {}",
      "other/error: boom",
    ]);
    expect(report.warningCounts).toMatchObject({ steps_from_spans: 1, no_output: 1 });
  });

  it("says what an empty or stripped trace lacks", async () => {
    const { trajectories, report } = await importedAll(
      importLangfuse(
        documents(
          { trace: { id: "t1" }, observations: [] },
          found([observation("one", "GENERATION", { ms: 1 })], { id: "t1" }),
          [],
        ),
      ),
    );
    expect(trajectories.map(({ trajectoryId, steps }) => [trajectoryId, steps.length])).toEqual([
      ["langfuse/t1", 0],
      ["langfuse/t1-2", 1],
    ]);
    expect(report.warningCounts).toEqual({
      no_steps: 1,
      no_question: 1,
      no_candidates: 2,
      repeated_id: 1,
      stripped_observations: 1,
      input_unreadable: 1,
      no_output: 1,
    });
  });

  it("takes the caller's question", async () => {
    const { trajectory } = await importedOne(importLangfuse, found(observations), { question: "Why?" });
    expect(trajectory.task.question).toBe("Why?");
    expect(linesOf(trajectory.steps[0]!.stateBefore)).toEqual(["task: Why?", "message/user: Which city?"]);
  });

  it.each([7, "text", {}, [7], { trace: {}, observations: "none" }, { data: [{ id: "x" }] }])(
    "refuses %j with its place",
    async (document) => {
      await expect(importedOne(importLangfuse, document)).rejects.toMatchObject({
        code: "invalid_record",
        message: expect.stringMatching(/^runs\.json:1: .*must be a Langfuse export/),
      });
    },
  );

  it("reads a run of 10,000 observations, nested as deep as it is long", async () => {
    const many = Array.from({ length: 10_000 }, (_, i) =>
      observation(`o${i}`, i % 2 === 0 ? "TOOL" : "SPAN", {
        ms: 10_000 - i,
        for: i * 2,
        parent: i === 0 ? null : `o${i - 1}`,
        input: { i },
        output: `result ${i} `.padEnd(500, "x"),
        name: `tool-${i % 7}`,
      }),
    );
    const { trajectory } = await importedOne(importLangfuse, found(many));
    // Every second span holds a tool of another name, so none is a second record of it.
    expect(trajectory.steps).toHaveLength(5_000);
    expect(blocksOf(trajectory.steps.at(-1)!.stateAfter).length).toBeGreaterThan(10);
  });
});

describe("observations that say a thing twice", () => {
  it("keeps a result that reads like an earlier one, where inputs hold results alone", async () => {
    const { trajectory } = await importedOne(importLangfuse, {
      trace: { id: "t1", input: "Which city?" },
      observations: [
        observation("a", "GENERATION", { ms: 0, input: [user], output: asks("c1", "old") }),
        observation("b", "GENERATION", { ms: 10, input: [finds("c1", "OK")], output: asks("c2", "new") }),
        observation("b-again", "GENERATION", { ms: 20, input: [finds("c2", "OK")], level: "ERROR" }),
        observation("c", "GENERATION", { ms: 30, input: [finds("c2", "OK")], output: answer }),
      ],
    });
    expect(linesOf(trajectory.steps[3]!.stateBefore)).toEqual([
      "task: Which city?",
      'tool_call/find: {"q":"old"}',
      "evidence/find: OK",
      'tool_call/find: {"q":"new"}',
      "evidence/find: OK",
    ]);
  });

  it("tells results once that tools and inputs both have, and a call that is made again twice", async () => {
    const { trajectory } = await importedOne(importLangfuse, {
      trace: { id: "t1", input: "Which city?" },
      observations: [
        observation("find", "TOOL", { ms: 0, input: { q: "old" }, output: "OK" }),
        observation("find-2", "TOOL", { name: "find", ms: 10, input: { q: "old" }, output: "OK" }),
        observation("c", "GENERATION", {
          ms: 30,
          input: [finds("1", "OK"), finds("2", "OK")],
          output: answer,
        }),
      ],
    });
    const turn = ['tool_call/find: {"q":"old"}', "evidence/find: OK"];
    expect(linesOf(trajectory.steps[2]!.stateBefore)).toEqual(["task: Which city?", ...turn, ...turn]);
  });

  it("takes of two records of one observation the one that ended later", async () => {
    const written = (text: string, lasts: number) =>
      observation("a", "GENERATION", {
        for: lasts,
        input: [user],
        output: { role: "assistant", content: text },
      });
    for (const observations of [
      [written("draft", 5), written("final", 9)],
      [written("final", 9), written("draft", 5)],
    ]) {
      const { trajectory } = await importedOne(importLangfuse, { trace: { id: "t1" }, observations });
      expect(linesOf(trajectory.steps[0]!.stateAfter).at(-1)).toBe("answer/assistant: final");
    }
  });
});

const read = (file: string | undefined): unknown => JSON.parse(readFileSync(file!, "utf8"));
const graph = sharedFile("data/traces/langfuse-langgraph-python.trace.json");
const sdk = sharedFile("data/traces/langfuse-vercel-aisdk.trace.json");

describe.skipIf(graph === undefined || sdk === undefined)("real Langfuse traces", () => {
  it("give the LangGraph run: think, search, answer, each state as its call had it", async () => {
    const { trajectory, report } = await importedOne(importLangfuse, read(graph));
    expect(typesOf(trajectory)).toEqual(["agent", "Web-Search", "agent"]);
    expect(trajectory.task.question).toBe("Search the web for 'example' and summarize.");
    expect(breaksOf(trajectory)).toEqual([]);
    expect(blocksOf(trajectory.steps[2]!.stateAfter).map(({ kind }) => kind)).toEqual([
      "message",
      "task",
      "tool_call",
      "evidence",
      "answer",
    ]);
    expect(report).toMatchObject({ fidelity: { recorded: 1 } });
    expect(report.warningCounts).toEqual({ scores_refused: 1, no_candidates: 1 });
    const everything = JSON.stringify(trajectory);
    for (const hidden of ["KJGLKJGLJG", "cloramnkj", "telemetry.sdk", "hallucination", "fp_46bff0e0c8"]) {
      expect(everything).not.toContain(hidden);
    }
  });

  it("give the AI SDK run, which stops at its tool call, once and not twice", async () => {
    const { trajectory, report } = await importedOne(importLangfuse, read(sdk));
    expect(typesOf(trajectory)).toEqual(["ai.generateText.doGenerate", "getWeather"]);
    expect(linesOf(trajectory.steps[1]!.stateAfter)).toEqual([
      "task: What is the weather like today in San Francisco?",
      'tool_call/getWeather: {"location":"San Francisco"}',
      'evidence/getWeather: {"location":"San Francisco","temperature":64}',
    ]);
    expect(report.warningCounts).toEqual({ scores_refused: 1, wrapper_folded: 1, no_candidates: 1 });
  });
});
