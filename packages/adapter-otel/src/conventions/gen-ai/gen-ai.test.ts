import { describe, expect, it } from "vitest";
import { before, chained, gains, logOf, read, spansOf, types } from "../spans.test-support.ts";

const usage = { "gen_ai.usage.input_tokens": 10, "gen_ai.usage.output_tokens": 4 };
const json = JSON.stringify;

/** A run of four steps: a call that asks for a search, the search, and the answer. */
const wanted = [
  ["reasoning assistant: Looking.", 'tool_call search: {"q":"lamp"}'],
  ["evidence search: It is green."],
  ["answer assistant: Green."],
];
const asked = ["task user: What colour is the lamp?", "message system: Be brief."];

const question = { role: "user", content: "What colour is the lamp?" };
const system = { role: "system", content: "Be brief." };
const calls = [{ id: "c1", type: "function", function: { name: "search", arguments: '{"q":"lamp"}' } }];

const run = {
  id: "run",
  name: "invoke_agent lamp",
  until: 100,
  attributes: {
    "gen_ai.operation.name": "invoke_agent",
    "gen_ai.agent.name": "lamp",
    "gen_ai.conversation.id": "thread-7",
  },
};
const tool = {
  id: "tool",
  parent: "run",
  at: 20,
  name: "execute_tool search",
  attributes: {
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": "search",
    "gen_ai.tool.call.id": "c1",
    "gen_ai.tool.call.arguments": '{"q":"lamp"}',
    "gen_ai.tool.call.result": "It is green.",
  },
};
const chat = { "gen_ai.operation.name": "chat", "gen_ai.response.model": "m-1", ...usage };

function expectLamp(result: ReturnType<typeof read>) {
  expect(result.trajectories).toHaveLength(1);
  const found = result.trajectories[0]!;
  expect(found.convention).toBe("gen-ai");
  expect(types(found)).toEqual(["model", "tool:search", "model"]);
  expect(before(found, 0)).toEqual(asked);
  expect(gains(found)).toEqual(wanted);
  expect(chained(found)).toBe(true);
  expect(result.counts).toEqual({});
  return found;
}

describe("GenAI, newest generation", () => {
  const parts = (role: string, text: string) => ({ role, parts: [{ type: "text", content: text }] });
  const first = [parts("user", question.content)];
  const turn = {
    role: "assistant",
    parts: [
      { type: "text", content: "Looking." },
      { type: "tool_call", id: "c1", name: "search", arguments: { q: "lamp" } },
    ],
    finish_reason: "tool_call",
  };
  const came = { role: "tool", parts: [{ type: "tool_call_response", id: "c1", response: "It is green." }] };
  const instructions = [{ type: "text", content: "Be brief." }];
  const spans = (write: (value: unknown) => unknown) =>
    spansOf(
      run,
      {
        id: "a",
        parent: "run",
        at: 10,
        attributes: {
          ...chat,
          "gen_ai.system_instructions": write(instructions),
          "gen_ai.input.messages": write(first),
          "gen_ai.output.messages": write([turn]),
        },
      },
      tool,
      {
        id: "b",
        parent: "run",
        at: 30,
        attributes: {
          ...chat,
          "gen_ai.system_instructions": write(instructions),
          "gen_ai.input.messages": write([...first, turn, came]),
          "gen_ai.output.messages": write([parts("assistant", "Green.")]),
        },
      },
    );

  it("reads messages as JSON text and structured alike", () => {
    const found = expectLamp(read(spans(json)));
    expect(read(spans((value) => value)).trajectories).toEqual([found]);
    expect(found.trajectory).toMatchObject({
      trajectoryId: "otel/t1/run",
      sourceAdapter: "otel/gen-ai",
      metadata: { state_source: "reconstructed", session_id: "thread-7", run: "lamp", trace_id: "t1" },
      status: "complete",
    });
    expect(found.trajectory.steps.map(({ cost }) => cost)).toEqual([
      { prompt_tokens: 10, completion_tokens: 4, latency_ms: 5 },
      { tool_calls: 1, latency_ms: 5 },
      { prompt_tokens: 10, completion_tokens: 4, latency_ms: 5 },
    ]);
    expect(found.trajectory.steps[0]).toMatchObject({
      stepId: "a",
      action: { type: "model", model: "m-1", calls: [{ tool: "search", args: { q: "lamp" } }] },
      extra: { status: "ok", kind: "llm", trace_id: "t1", span_id: "a" },
    });
  });

  it("reads a whole call from its log record where the span has no content", () => {
    const bare = spansOf(run, { id: "a", parent: "run", at: 10, attributes: chat }, tool, {
      id: "b",
      parent: "run",
      at: 30,
      attributes: chat,
    });
    const details = "gen_ai.client.inference.operation.details";
    const logs = [
      logOf("a", details, {
        attributes: {
          "gen_ai.input.messages": [parts("system", "Be brief."), ...first],
          "gen_ai.output.messages": [turn],
        },
      }),
      logOf("b", details, {
        body: {
          "gen_ai.input.messages": [parts("system", "Be brief."), ...first, turn, came],
          "gen_ai.output.messages": [parts("assistant", "Green.")],
        } as never,
      }),
    ];
    expectLamp(read(bare, logs));
  });
});

describe("GenAI, an event a message", () => {
  const told = (id: string, at: number, messages: readonly [string, object][]) => ({
    id,
    parent: "run",
    at,
    attributes: chat,
    events: messages.map(([name, attributes]) => ({
      name,
      attributes: attributes as Record<string, unknown>,
    })),
  });
  const first: [string, object][] = [
    ["gen_ai.system.message", { content: "Be brief." }],
    ["gen_ai.user.message", { content: question.content }],
  ];
  const later: [string, object][] = [
    ...first,
    ["gen_ai.assistant.message", { content: "Looking.", tool_calls: json(calls) }],
    ["gen_ai.tool.message", { id: "c1", content: "It is green." }],
    [
      "gen_ai.choice",
      { index: 0, finish_reason: "stop", message: json({ role: "assistant", content: "Green." }) },
    ],
  ];

  it("on the span", () => {
    expectLamp(
      read(
        spansOf(
          run,
          told("a", 10, [
            ...first,
            ["gen_ai.choice", { message: json({ content: "Looking.", tool_calls: calls }) }],
            ["gen_ai.choice", { index: 1, message: json({ content: "Another choice." }) }],
          ]),
          tool,
          told("b", 30, later),
        ),
      ),
    );
  });

  it("as log records with structured bodies", () => {
    const spans = spansOf(run, { id: "a", parent: "run", at: 10, attributes: chat }, tool, {
      id: "b",
      parent: "run",
      at: 30,
      attributes: chat,
    });
    const logs = [
      logOf("a", "gen_ai.choice", {
        at: 14,
        body: { index: 0, message: { content: "Looking.", tool_calls: calls as never } },
      }),
      logOf("a", "gen_ai.system.message", { at: 10, body: { content: "Be brief." } }),
      logOf("a", "gen_ai.user.message", { at: 11, body: { content: question.content } }),
      logOf("b", "gen_ai.system.message", { at: 30, body: { content: "Be brief." } }),
      logOf("b", "gen_ai.user.message", { at: 30, body: { content: question.content } }),
      logOf("b", "gen_ai.assistant.message", {
        at: 30,
        body: { content: "Looking.", tool_calls: calls as never },
      }),
      logOf("b", "gen_ai.tool.message", { at: 30, body: { id: "c1", content: "It is green." } }),
      logOf("b", "gen_ai.choice", { at: 31, body: { message: { content: "Green." } } }),
    ];
    expectLamp(read(spans, logs));
  });
});

describe("GenAI events as Strands writes them", () => {
  it("reads contents as text of parts, a tool's arguments and result, and the agent's own question", () => {
    const events = (...list: [string, object][]) =>
      list.map(([name, attributes]) => ({ name, attributes: attributes as Record<string, unknown> }));
    const asked: [string, object] = ["gen_ai.user.message", { content: json([{ text: question.content }]) }];
    const turn = json([
      { text: "Looking." },
      { toolUse: { toolUseId: "c1", name: "search", input: { q: "lamp" } } },
    ]);
    const came = json([
      { toolResult: { toolUseId: "c1", status: "success", content: [{ text: "It is green." }] } },
    ]);
    const { trajectories, counts } = read(
      spansOf(
        { ...run, events: events(asked, ["gen_ai.choice", { message: "Green." }]) },
        {
          id: "a",
          parent: "run",
          at: 10,
          attributes: chat,
          events: events(asked, ["gen_ai.choice", { finish_reason: "tool_use", message: turn }]),
        },
        {
          id: "tool",
          parent: "run",
          at: 20,
          attributes: {
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.name": "search",
            "gen_ai.tool.call.id": "c1",
          },
          events: events(
            ["gen_ai.tool.message", { role: "tool", content: json({ q: "lamp" }), id: "c1" }],
            ["gen_ai.choice", { message: json([{ text: "It is green." }]), id: "c1" }],
          ),
        },
        {
          id: "b",
          parent: "run",
          at: 30,
          attributes: chat,
          events: events(
            asked,
            ["gen_ai.assistant.message", { content: turn }],
            ["gen_ai.tool.message", { content: came }],
            ["gen_ai.choice", { message: json([{ text: "Green." }]) }],
          ),
        },
      ),
    );
    const [found] = trajectories;
    expect(found!.trajectory.task.question).toBe(question.content);
    expect(gains(found!)).toEqual(wanted);
    expect(found!.trajectory.steps[1]!.action["calls"]).toEqual([{ tool: "search", args: { q: "lamp" } }]);
    expect(chained(found!)).toBe(true);
    expect(counts).toEqual({});
  });
});

describe("GenAI, flattened", () => {
  const flat = (prefix: string, messages: readonly Record<string, unknown>[]) =>
    Object.fromEntries(
      messages.flatMap((message, i) =>
        Object.entries(message).map(([key, value]) => [`${prefix}.${i}.${key}`, value]),
      ),
    );
  const turn = {
    role: "assistant",
    content: "Looking.",
    "tool_calls.0.id": "c1",
    "tool_calls.0.name": "search",
    "tool_calls.0.arguments": '{"q":"lamp"}',
  };
  const old = {
    "llm.request.type": "chat",
    "gen_ai.system": "openai",
    "gen_ai.response.model": "m-1",
    "gen_ai.usage.prompt_tokens": 10,
    "gen_ai.usage.completion_tokens": 4,
  };

  it("reads prompt.N and completion.N", () => {
    const came = { role: "tool", content: "It is green.", tool_call_id: "c1" };
    const found = expectLamp(
      read(
        spansOf(
          run,
          {
            id: "a",
            parent: "run",
            at: 10,
            attributes: {
              ...old,
              ...flat("gen_ai.prompt", [system, question]),
              ...flat("gen_ai.completion", [turn]),
            },
          },
          tool,
          {
            id: "b",
            parent: "run",
            at: 30,
            attributes: {
              ...old,
              ...flat("gen_ai.prompt", [system, question, turn, came]),
              ...flat("gen_ai.completion", [{ content: "Green.", finish_reason: "stop" }]),
            },
          },
        ),
      ),
    );
    expect(found.trajectory.steps[0]!.cost).toMatchObject({ prompt_tokens: 10, completion_tokens: 4 });
  });

  it("puts index 10 after index 9", () => {
    const messages = Array.from({ length: 12 }, (_, i) => ({
      role: i % 2 === 0 ? "user" : "assistant",
      content: `message ${i}`,
    }));
    const attributes = {
      ...old,
      ...flat(
        "gen_ai.prompt",
        messages.toReversed().map((_, i) => messages[i]!),
      ),
    };
    const shuffled = Object.fromEntries(Object.entries(attributes).toSorted(([a], [b]) => (a < b ? -1 : 1)));
    const { trajectories } = read(
      spansOf({ id: "a", attributes: { ...shuffled, "gen_ai.completion.0.content": "end" } }),
    );
    expect(before(trajectories[0]!, 0)!.map((line) => line.split(": ")[1])).toEqual([
      "message 10",
      ...Array.from({ length: 10 }, (_, i) => `message ${i}`),
      "message 11",
    ]);
  });

  it("reads a prompt and a completion that are plain texts", () => {
    const { trajectories } = read(
      spansOf({ id: "a", attributes: { ...old, "gen_ai.prompt": "Why?", "gen_ai.completion": "Because." } }),
    );
    expect(trajectories[0]!.trajectory.task.question).toBe("Why?");
    expect(gains(trajectories[0]!)).toEqual([["answer assistant: Because."]]);
  });
});

describe("any-agent's spelling", () => {
  it("accumulates where only the first call carries the history", () => {
    const spans = spansOf(
      { ...run, attributes: { "gen_ai.operation.name": "invoke_agent" } },
      {
        id: "a",
        parent: "run",
        at: 10,
        attributes: {
          "gen_ai.operation.name": "call_llm",
          "gen_ai.input.messages": json([system, question]),
          "gen_ai.output": json([{ "tool.name": "search", "tool.args": { q: "lamp" } }]),
          "gen_ai.output.type": "json",
        },
      },
      {
        id: "tool",
        parent: "run",
        at: 20,
        attributes: {
          "gen_ai.operation.name": "execute_tool",
          "gen_ai.tool.name": "search",
          "gen_ai.tool.args": '{"q": "lamp"}',
          "gen_ai.output": "It is green.",
        },
      },
      {
        id: "b",
        parent: "run",
        at: 30,
        attributes: {
          "gen_ai.operation.name": "call_llm",
          "gen_ai.output": "Green.",
          "gen_ai.output.type": "text",
        },
      },
    );
    const { trajectories, counts } = read(spans);
    expect(gains(trajectories[0]!)).toEqual([
      ['tool_call search: {"q":"lamp"}'],
      ["evidence search: It is green."],
      ["answer assistant: Green."],
    ]);
    expect(chained(trajectories[0]!)).toBe(true);
    expect(trajectories[0]!.fidelity).toContain("1 of 2 model calls carry their history");
    expect(counts).toEqual({});
  });
});

describe("GenAI retrievals and refusals", () => {
  it("makes documents evidence, one block each, and leaves ids and scores out", () => {
    const { trajectories } = read(
      spansOf(run, {
        id: "r",
        parent: "run",
        at: 10,
        name: "retrieval docs",
        attributes: {
          "gen_ai.operation.name": "retrieval",
          "gen_ai.data_source.id": "docs",
          "gen_ai.retrieval.query.text": "lamp",
          "gen_ai.retrieval.documents": json([
            { id: "d1", score: 0.9, content: "Green lamp." },
            { id: "d2", content: "Red lamp." },
          ]),
        },
      }),
    );
    expect(types(trajectories[0]!)).toEqual(["retrieval:docs"]);
    expect(gains(trajectories[0]!)).toEqual([["evidence docs: Green lamp.", "evidence docs: Red lamp."]]);
    expect(trajectories[0]!.trajectory.steps[0]!.action).toEqual({
      type: "retrieval:docs",
      calls: [{ tool: "docs", args: "lamp" }],
    });
  });

  it("never reads evaluation results, on spans, events or log records, and counts them", () => {
    const call = {
      ...chat,
      "gen_ai.input.messages": json([question]),
      "gen_ai.output.messages": json([{ role: "assistant", content: "Green." }]),
    };
    const { trajectories, counts } = read(
      spansOf(run, {
        id: "a",
        parent: "run",
        at: 10,
        attributes: { ...call, "gen_ai.evaluation.score.label": "GOLD-LABEL" },
        events: [
          { name: "gen_ai.evaluation.result", attributes: { "gen_ai.evaluation.explanation": "GOLD-EVENT" } },
        ],
      }),
      [
        logOf("a", "gen_ai.evaluation.result", {
          attributes: { "gen_ai.evaluation.explanation": "GOLD-LOG" },
        }),
      ],
    );
    expect(counts).toEqual({ gold_refused: 2 });
    expect(JSON.stringify(trajectories)).not.toContain("GOLD");
    expect(gains(trajectories[0]!)).toEqual([["answer assistant: Green."]]);
  });
});
