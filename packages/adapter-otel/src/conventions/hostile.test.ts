import { decodeTrajectory, encodeTrajectory, isBlockState, type State } from "@agent-step-value/sdk";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { agent, asks, model, result, says, toolSpan } from "./assembly/agent-spans.test-support.ts";
import {
  after,
  before,
  chained,
  gains,
  read,
  spansOf,
  types,
  type SpanFields,
} from "./spans.test-support.ts";

const question = says("user", "Where is it?");

describe("hostile content", () => {
  it("reads what is no JSON as text, and what nests too deep as a marker", () => {
    const deep = "[".repeat(200_000) + "]".repeat(200_000);
    const { trajectories } = read(
      spansOf(
        agent("run"),
        model("a", 10, [question], asks("c1", "find", '{"broken": ')),
        toolSpan("t", 20, "find", { callId: "c1", gave: '{"a": [1, 2' }),
        toolSpan("u", 30, "find", { gave: deep }),
        {
          ...model("b", 40, undefined, undefined),
          attributes: {
            "gen_ai.operation.name": "chat",
            "gen_ai.input.messages": "[{not json",
            "gen_ai.output.messages": "Done.",
          },
        },
      ),
    );
    const [found] = trajectories;
    expect(gains(found!)[1]).toEqual(['evidence find: {"a": [1, 2']);
    expect(after(found!, 2)).toBeDefined();
    expect(JSON.stringify(found!.trajectory).length).toBeLessThan(400_000);
    expect(gains(found!)[3]!.at(-1)).toBe("answer assistant: Done.");
  });

  it("does not overflow on values that nest deeper than the stack, wherever they are read", () => {
    const nest = (open: string, close: string) => open.repeat(50_000) + '"x"' + close.repeat(50_000);
    const deep = [
      nest('{"output":', "}"),
      nest('{"input":', "}"),
      nest('{"type":"function_result","call_id":"c","result":', "}"),
      nest("[", "]"),
    ];
    for (const text of deep) {
      const { trajectories } = read(
        spansOf(
          {
            id: "chain",
            until: 100,
            attributes: { "openinference.span.kind": "CHAIN", "input.value": text, "output.value": text },
          },
          {
            id: "node",
            parent: "chain",
            at: 5,
            attributes: { "openinference.span.kind": "CHAIN", "input.value": text, "output.value": text },
          },
          {
            id: "t",
            parent: "chain",
            at: 10,
            attributes: { "openinference.span.kind": "TOOL", "input.value": text, "output.value": text },
          },
          {
            id: "a",
            parent: "chain",
            at: 20,
            attributes: {
              "openinference.span.kind": "LLM",
              "input.value": text,
              "output.value": "Done.",
              "llm.input_messages.0.message.role": "user",
              "llm.input_messages.0.message.content": "Q?",
            },
          },
        ),
      );
      expect(gains(trajectories[0]!).at(-1)).toEqual(["answer assistant: Done."]);
    }
  });

  it("takes structured values of every kind, bytes and 64-bit integers among them", () => {
    const { trajectories } = read(
      spansOf(agent("run"), {
        id: "t",
        parent: "run",
        at: 10,
        attributes: {
          "gen_ai.operation.name": "execute_tool",
          "gen_ai.tool.name": "read",
          "gen_ai.tool.call.arguments": { id: 15531323892744358789n, at: null },
          "gen_ai.tool.call.result": { file: new Uint8Array(400).fill(7), ok: true },
        },
      }),
    );
    const [[call, gave]] = gains(trajectories[0]!) as [string[]];
    expect(call).toContain("15531323892744358789");
    expect(gave).toMatch(/^evidence read: .*(?:BYTES|"bytes":400)/);
  });

  it("cuts a value of a megabyte as the SDK cuts a state, and keeps the task", () => {
    const { trajectories } = read(
      spansOf(
        agent("run"),
        model("a", 10, [question], asks("c1", "find", "{}")),
        toolSpan("t", 20, "find", { callId: "c1", gave: `${"word ".repeat(200_000)}end` }),
        model("b", 30, undefined, says("assistant", "Long.")),
      ),
    );
    const state = trajectories[0]!.trajectory.steps[2]!.stateAfter as State;
    expect(isBlockState(state)).toBe(true);
    expect(JSON.stringify(state).length).toBeLessThan(25_000);
    const lines = after(trajectories[0]!, 2)!;
    expect(lines[0]).toBe("task user: Where is it?");
    expect(lines.at(-1)).toBe("answer assistant: Long.");
    expect(lines.at(-2)).toMatch(/word end$/);
    const { chars } = state["truncated"] as { chars: number };
    expect(chars).toBeGreaterThan(975_000);
  });

  it("redacts in one session: a secret has one placeholder in all states and actions", () => {
    const secret = `ghp_${"a1B2".repeat(9)}`;
    const other = `ghp_${"c3D4".repeat(9)}`;
    const { trajectories } = read(
      spansOf(
        agent("run"),
        model(
          "a",
          10,
          [says("user", `Use ${secret}.`)],
          asks("c1", "login", JSON.stringify({ token: secret, note: `not ${other}` })),
        ),
        toolSpan("t", 20, "login", { callId: "c1", gave: `logged in with ${secret}`, error: `bad ${other}` }),
      ),
    );
    const text = JSON.stringify(trajectories);
    expect(text).not.toContain(secret);
    expect(text).not.toContain(other);
    expect(trajectories[0]!.trajectory.task.question).toBe("Use [SECRET:github-token:1].");
    expect(after(trajectories[0]!, 1)!.at(-1)).toBe("other login: logged in with [SECRET:github-token:1]");
    expect(trajectories[0]!.trajectory.steps[1]!.extra!["error"]).toEqual({
      message: "bad [SECRET:github-token:2]",
    });
    expect(trajectories[0]!.trajectory.redaction!.hits["github-token"]).toBeGreaterThan(2);
  });

  it("drops expected answers that stand in a tool's arguments, as JSON or as a Python repr", () => {
    const { trajectories } = read(
      spansOf(
        agent("run"),
        model("a", 10, [question], asks("c1", "submit", '{"text":"x","gold_answer":"CANARY"}')),
        toolSpan("t", 20, "submit", {
          callId: "c1",
          args: "{'text': 'x', 'gold_answer': 'CANARY'}",
          gave: "{'expected_answer': 'CANARY'}",
        }),
      ),
    );
    expect(JSON.stringify(trajectories)).not.toContain("CANARY");
  });

  it("reads keys that are names of Object's own as data", () => {
    const { trajectories } = read(
      spansOf(agent("__proto__"), {
        ...toolSpan("constructor", 10, "__proto__", {
          parent: "__proto__",
          gave: '{"__proto__":{"polluted":true},"constructor":1}',
        }),
      }),
    );
    expect(types(trajectories[0]!)).toEqual(["tool:__proto__"]);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });
});

describe("size", () => {
  it("reads a run of thousands of calls with whole states at its end", () => {
    const fields: SpanFields[] = [
      agent("run", { until: 1_000_000 }),
      model("m0", 1, [question], asks("c0", "find", "{}")),
    ];
    for (let i = 1; i <= 2000; i += 1) {
      fields.push(toolSpan(`t${i}`, 10 * i, "find", { callId: `c${i - 1}`, gave: `found ${i}` }));
      fields.push(model(`m${i}`, 10 * i + 5, undefined, asks(`c${i}`, "find", "{}")));
    }
    const { trajectories } = read(spansOf(...fields));
    const [found] = trajectories;
    expect(found!.trajectory.steps).toHaveLength(4001);
    expect(chained(found!)).toBe(true);
    const last = after(found!, 4000)!;
    expect(last[0]).toBe("task user: Where is it?");
    expect(last.slice(-2)).toEqual(["evidence find: found 2000", "tool_call find: {}"]);
    // The SDK keeps 2,000 blocks of a state at most, and tells how many went.
    expect(last).toHaveLength(2000);
    const state = found!.trajectory.steps[4000]!.stateAfter as { truncated?: { blocks: number } };
    expect(state.truncated!.blocks).toBe(1 + 1 + 4000 - 2000);
  });

  it("reads a chain of thousands of nested spans without recursion", () => {
    const depth = 5000;
    const nested = Array.from({ length: depth }, (_, i): SpanFields => ({
      ...agent(`n${i}`, { at: i, until: 100_000 - i }),
      ...(i > 0 && { parent: `n${i - 1}` }),
    }));
    const { trajectories } = read(
      spansOf(
        ...nested,
        model("a", depth + 1, [question], says("assistant", "Here."), { parent: `n${depth - 1}` }),
      ),
    );
    expect(types(trajectories[0]!)).toEqual(["model"]);
  });
});

/** Values that tracers wrote, and worse. */
const value = fc.oneof(
  fc.constantFrom<unknown>(
    "",
    "null",
    "{}",
    "[]",
    "{'a': None}",
    '[{"role":"user","content":"Where?"}]',
    '[{"role":"assistant","content":null,"tool_calls":[{"id":"c1","name":"find","args":{}}]}]',
    '[{"role":"tool","tool_call_id":"c1","content":"box"}]',
    '{"messages":[[{"lc":1,"id":["HumanMessage"],"kwargs":{"content":"Where?"}}]]}',
    '{"__proto__":{"role":"user"}}',
    "\u0000\ud800",
    Number.NaN,
    -1,
    10n ** 30n,
    null,
    true,
  ),
  fc.string({ maxLength: 40 }),
  fc.jsonValue({ maxDepth: 3 }),
  fc.uint8Array({ maxLength: 8 }),
);
const key = fc.constantFrom(
  "gen_ai.operation.name",
  "gen_ai.input.messages",
  "gen_ai.output.messages",
  "gen_ai.prompt.0.role",
  "gen_ai.prompt.0.content",
  "gen_ai.prompt.10.content",
  "gen_ai.completion.0.tool_calls.0.name",
  "gen_ai.tool.name",
  "gen_ai.tool.call.id",
  "gen_ai.tool.call.arguments",
  "gen_ai.tool.call.result",
  "gen_ai.system_instructions",
  "gen_ai.usage.input_tokens",
  "gen_ai.retrieval.documents",
  "openinference.span.kind",
  "input.value",
  "output.value",
  "llm.input_messages.0.message.role",
  "llm.input_messages.0.message.content",
  "llm.output_messages.0.message.contents.0.message_content.text",
  "metadata",
  "ai.operationId",
  "ai.prompt",
  "ai.prompt.messages",
  "ai.response.text",
  "ai.response.toolCalls",
  "ai.toolCall.result",
  "traceloop.span.kind",
  "traceloop.entity.input",
  "traceloop.entity.output",
  "langfuse.observation.type",
  "langfuse.observation.input",
  "langfuse.observation.output",
  "langfuse.observation.usage_details",
  "gcp.vertex.agent.llm_request",
  "gcp.vertex.agent.llm_response",
  "gcp.vertex.agent.tool_response",
);
const word = fc.constantFrom(
  "chat",
  "execute_tool",
  "invoke_agent",
  "retrieval",
  "evaluate",
  "LLM",
  "TOOL",
  "AGENT",
  "CHAIN",
  "EVALUATOR",
  "ai.generateText",
  "ai.generateText.doGenerate",
  "ai.toolCall",
  "workflow",
  "task",
  "tool",
  "generation",
  "span",
);
const id = fc.constantFrom("a", "b", "c", "d", "e", "f", "g", "__proto__", "");
const span = fc.record({
  id,
  parent: fc.option(id, { nil: undefined }),
  name: fc.oneof(word, fc.string({ maxLength: 10 })),
  at: fc.integer({ min: -5, max: 30 }),
  until: fc.integer({ min: -5, max: 30 }),
  attributes: fc.dictionary(key, fc.oneof(word, value), { maxKeys: 8 }),
  error: fc.option(fc.string({ maxLength: 10 }), { nil: undefined }),
});

describe("any spans at all", () => {
  it("give valid trajectories without empty states, whose chain says where it breaks", () => {
    let seen = 0;
    fc.assert(
      fc.property(fc.array(span, { maxLength: 14 }), (fields) => {
        const { trajectories } = read(spansOf(...(fields as SpanFields[])));
        for (const { trajectory } of trajectories) {
          seen += 1;
          decodeTrajectory(encodeTrajectory(trajectory), { source: "test", line: 1 });
          expect(trajectory.metadata["state_source"]).toBe("reconstructed");
          expect(trajectory.steps.length).toBeGreaterThan(0);
          trajectory.steps.forEach((step, i) => {
            for (const state of [step.stateBefore, step.stateAfter]) {
              if (state !== undefined) expect(isBlockState(state) && state.blocks.length > 0).toBe(true);
            }
            for (const number of Object.values(step.cost)) expect(Number.isFinite(number)).toBe(true);
            const last = trajectory.steps[i - 1];
            if (last?.stateAfter !== undefined && step.discontinuity !== true) {
              expect(step.stateBefore).toBe(last.stateAfter);
            }
          });
        }
      }),
      { numRuns: 600 },
    );
    // Enough of it is agent runs for the property to say something.
    expect(seen).toBeGreaterThan(100);
  });

  it("are all told how they were used, once", () => {
    fc.assert(
      fc.property(fc.array(span, { maxLength: 14 }), (fields) => {
        const spans = spansOf(...(fields as SpanFields[])).map((one, i) => ({
          ...one,
          spanId: `${one.spanId}-${i}`,
        }));
        expect(Object.keys(read(spans).used).toSorted()).toEqual(
          spans.map(({ spanId }) => spanId).toSorted(),
        );
      }),
      { numRuns: 200 },
    );
  });
});

it("gives the same trajectories for the same spans in any order of reading", () => {
  const call = asks("c1", "find", "{}");
  const fields = [
    agent("run"),
    model("a", 10, [question], call),
    toolSpan("t", 20, "find", { callId: "c1", gave: "box" }),
    model("b", 30, [question, call, result("c1", "box")], says("assistant", "In the box.")),
  ];
  const wanted = read(spansOf(...fields)).trajectories.map(({ trajectory }) => trajectory);
  fc.assert(
    fc.property(fc.shuffledSubarray(fields, { minLength: 4 }), (shuffled) => {
      // Times are the spans' own, the order of reading is not.
      expect(read(spansOf(...shuffled)).trajectories.map(({ trajectory }) => trajectory)).toEqual(wanted);
    }),
    { numRuns: 24 },
  );
  expect(before({ trajectory: wanted[0]! } as never, 0)).toEqual(["task user: Where is it?"]);
});
