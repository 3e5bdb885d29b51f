import { describe, expect, it } from "vitest";
import { before, chained, gains, read, spansOf, types } from "../spans.test-support.ts";

const kind = (value: string, attributes: object = {}) => ({
  "openinference.span.kind": value,
  ...attributes,
});

/** Messages as OpenInference flattens them. */
function flat(prefix: string, messages: readonly Record<string, unknown>[]): object {
  return Object.fromEntries(
    messages.flatMap((message, i) =>
      Object.entries(message).map(([key, value]) => [`${prefix}.${i}.message.${key}`, value]),
    ),
  );
}

const input = (...messages: Record<string, unknown>[]) => flat("llm.input_messages", messages);
const output = (...messages: Record<string, unknown>[]) => flat("llm.output_messages", messages);
const asks = (id: string, name: string, args: string, n = 0) => ({
  [`tool_calls.${n}.tool_call.id`]: id,
  [`tool_calls.${n}.tool_call.function.name`]: name,
  [`tool_calls.${n}.tool_call.function.arguments`]: args,
});
const question = { role: "user", content: "What is 6 x 7?" };

describe("OpenInference", () => {
  it("reads kinds AGENT, LLM and TOOL, wrong parallel calls and their repair included", () => {
    const turn = {
      role: "assistant",
      ...asks("c1", "multiply", '{"a":6,"b":7}'),
      ...asks("c2", "divide", '{"a":0,"b":7}', 1),
    };
    const first = { role: "tool", tool_call_id: "c1", content: "42" };
    const second = { role: "tool", tool_call_id: "c2", content: "0.0" };
    const { trajectories, counts } = read(
      spansOf(
        { id: "agent", until: 100, attributes: kind("AGENT", { "agent.name": "maths" }) },
        {
          id: "a",
          parent: "agent",
          at: 10,
          attributes: kind("LLM", {
            ...input(question),
            ...output(turn),
            "llm.token_count.prompt": 9,
            "llm.token_count.completion": 3,
          }),
        },
        // The divide ends first and stands first in the file; the model asked for it second.
        {
          id: "divide",
          parent: "agent",
          at: 21,
          until: 22,
          name: "divide",
          attributes: kind("TOOL", {
            "tool.name": "divide",
            "input.value": '{"a":0,"b":7}',
            "output.value": "0.0",
          }),
        },
        {
          id: "multiply",
          parent: "agent",
          at: 20,
          until: 25,
          name: "multiply",
          attributes: kind("TOOL", {
            "tool.name": "multiply",
            "input.value": '{"a":6,"b":7}',
            "output.value": "42",
          }),
        },
        {
          id: "b",
          parent: "agent",
          at: 30,
          attributes: kind("LLM", {
            ...input(question, turn, first, second),
            ...output({ role: "assistant", content: "42" }),
          }),
        },
      ),
    );
    const [found] = trajectories;
    expect(types(found!)).toEqual(["model", "tool:multiply", "tool:divide", "model"]);
    expect(gains(found!)).toEqual([
      ['tool_call multiply: {"a":6,"b":7}', 'tool_call divide: {"a":0,"b":7}'],
      ["evidence multiply: 42"],
      ["evidence divide: 0.0"],
      ["answer assistant: 42"],
    ]);
    expect(chained(found!)).toBe(true);
    expect(found!.trajectory.steps.map(({ extra }) => extra!["concurrent"])).toEqual([
      undefined,
      true,
      true,
      undefined,
    ]);
    expect(counts).toEqual({});
  });

  it("reads multimodal contents, by numbers and not by text", () => {
    const contents = Object.fromEntries(
      Array.from({ length: 11 }, (_, i) => [
        [`contents.${i}.message_content.type`, "text"],
        [`contents.${i}.message_content.text`, `part ${i}`],
      ]).flat(),
    );
    const image = {
      "contents.11.message_content.type": "image",
      "contents.11.message_content.image.image.url": "https://host.example/a.png?sig=1",
    };
    const { trajectories } = read(
      spansOf({
        id: "a",
        attributes: kind("LLM", {
          ...input({ role: "user", ...contents, ...image }),
          ...output({ role: "assistant", content: "ok" }),
        }),
      }),
    );
    const lines = Array.from({ length: 11 }, (_, i) => `part ${i}`);
    expect(trajectories[0]!.trajectory.task.question).toBe(
      [...lines, "[image https://host.example/a.png]"].join("\n"),
    );
  });

  it("takes the calls from the whole value where the flattened messages lack them", () => {
    const message = {
      lc: 1,
      type: "constructor",
      id: ["langchain_core", "messages", "AIMessage"],
      kwargs: { content: "", tool_calls: [{ id: "c1", name: "search", args: { q: "x" } }] },
    };
    const { trajectories } = read(
      spansOf({
        id: "a",
        attributes: kind("LLM", {
          ...input(question),
          ...output({ role: "assistant", content: "" }),
          "output.value": JSON.stringify({ generations: [[{ text: "", message }]] }),
        }),
      }),
    );
    expect(gains(trajectories[0]!)).toEqual([['tool_call search: {"q":"x"}']]);
  });

  it("reads retrievers and rerankers as evidence, guardrails as audit, and drops embeddings and prompts", () => {
    const documents = {
      "retrieval.documents.1.document.content": "second",
      "retrieval.documents.0.document.content": "first",
      "retrieval.documents.0.document.score": 0.9,
      "retrieval.documents.0.document.id": "d-1",
    };
    const { trajectories, used } = read(
      spansOf(
        { id: "chain", until: 100, name: "rag", attributes: kind("CHAIN", { "input.value": "What is it?" }) },
        {
          id: "e",
          parent: "chain",
          at: 5,
          attributes: kind("EMBEDDING", { "embedding.embeddings.0.embedding.text": "x" }),
        },
        {
          id: "r",
          parent: "chain",
          at: 10,
          name: "store",
          attributes: kind("RETRIEVER", { "input.value": "What is it?", ...documents }),
        },
        {
          id: "k",
          parent: "chain",
          at: 20,
          attributes: kind("RERANKER", {
            "reranker.query": "What is it?",
            "reranker.output_documents.0.document.content": "second, best",
          }),
        },
        {
          id: "g",
          parent: "chain",
          at: 30,
          name: "toxicity",
          attributes: kind("GUARDRAIL", { "output.value": "pass" }),
        },
        { id: "p", parent: "chain", at: 35, attributes: kind("PROMPT", { "output.value": "template" }) },
        {
          id: "a",
          parent: "chain",
          at: 40,
          attributes: kind("LLM", {
            ...input({ role: "user", content: "What is it?" }),
            ...output({ role: "assistant", content: "A lamp." }),
          }),
        },
      ),
    );
    const [found] = trajectories;
    expect(types(found!)).toEqual(["retrieval:store", "retrieval:rerank", "toxicity", "model"]);
    expect(gains(found!)).toEqual([
      ["evidence store: first", "evidence store: second"],
      ["evidence rerank: second, best"],
      ["audit: pass"],
      ["answer assistant: A lamp."],
    ]);
    expect(used).toMatchObject({
      chain: "openinference:run",
      e: "openinference:plumbing",
      p: "openinference:plumbing",
    });
  });

  it("refuses an evaluator and everything under it, annotations and evaluations", () => {
    const { trajectories, counts, used } = read(
      spansOf(
        { id: "agent", until: 100, attributes: kind("AGENT") },
        {
          id: "a",
          parent: "agent",
          at: 10,
          attributes: kind("LLM", {
            ...input(question),
            ...output({ role: "assistant", content: "42" }),
            "annotation.label": "GOLD",
            "evaluations.0.evaluation.label": "GOLD",
          }),
        },
        { id: "eval", parent: "agent", at: 20, attributes: kind("EVALUATOR", { "output.value": "GOLD" }) },
        {
          id: "judge",
          parent: "eval",
          at: 21,
          attributes: kind("LLM", {
            ...input({ role: "user", content: "Expected: GOLD" }),
            ...output({ role: "assistant", content: "GOLD" }),
          }),
        },
      ),
    );
    expect(trajectories[0]!.trajectory.steps).toHaveLength(1);
    expect(JSON.stringify(trajectories)).not.toContain("GOLD");
    expect(used).toMatchObject({ eval: "openinference:refused", judge: "openinference:refused" });
    expect(counts).toEqual({ gold_refused: 2 });
  });

  it("takes sub-agents that run as tools into the run, in their own words", () => {
    const delegate = { role: "assistant", ...asks("c1", "ask_maths", '{"q":"6 x 7"}') };
    const came = { role: "tool", tool_call_id: "c1", content: "It is 42." };
    const { trajectories, used } = read(
      spansOf(
        { id: "top", until: 100, attributes: kind("AGENT", { "agent.name": "coordinator" }) },
        {
          id: "a",
          parent: "top",
          at: 10,
          attributes: kind("LLM", {
            ...input({ role: "system", content: "Delegate." }, question),
            ...output(delegate),
          }),
        },
        {
          id: "tool",
          parent: "top",
          at: 20,
          until: 60,
          name: "ask_maths",
          attributes: kind("TOOL", { "input.value": '{"q":"6 x 7"}', "output.value": "It is 42." }),
        },
        {
          id: "sub",
          parent: "tool",
          at: 21,
          until: 59,
          attributes: kind("AGENT", { "agent.name": "maths" }),
        },
        {
          id: "b",
          parent: "sub",
          at: 30,
          attributes: kind("LLM", {
            ...input({ role: "system", content: "Calculate." }, { role: "user", content: "6 x 7" }),
            ...output({ role: "assistant", content: "It is 42." }),
          }),
        },
        {
          id: "c",
          parent: "top",
          at: 70,
          attributes: kind("LLM", {
            ...input({ role: "system", content: "Delegate." }, question, delegate, came),
            ...output({ role: "assistant", content: "42." }),
          }),
        },
      ),
    );
    const [found] = trajectories;
    expect(types(found!)).toEqual(["model", "model", "tool:ask_maths", "model"]);
    expect(before(found!, 1)!.slice(2)).toEqual([
      'tool_call ask_maths: {"q":"6 x 7"}',
      "message system: Calculate.",
      "message user: 6 x 7",
    ]);
    expect(gains(found!).slice(1)).toEqual([
      ["answer maths: It is 42."],
      ["evidence ask_maths: It is 42."],
      ["answer assistant: 42."],
    ]);
    expect(found!.trajectory.steps.map(({ discontinuity }) => discontinuity)).toEqual([
      undefined,
      true,
      undefined,
      undefined,
    ]);
    expect(found!.trajectory.steps[1]!.action["agent"]).toBe("maths");
    expect(used).toMatchObject({
      top: "openinference:run",
      sub: "openinference:run",
      tool: "openinference:step",
    });
  });

  it("drops LangGraph's bookkeeping and keeps a node that does work of its own", () => {
    const node = (name: string, step: number) => ({
      metadata: JSON.stringify({ langgraph_node: name, langgraph_step: step }),
    });
    const { trajectories, used } = read(
      spansOf(
        {
          id: "graph",
          until: 100,
          name: "LangGraph",
          attributes: kind("CHAIN", { "input.value": '{"question":"What is it?"}' }),
        },
        {
          id: "start",
          parent: "graph",
          at: 1,
          name: "__start__",
          attributes: kind("CHAIN", { ...node("__start__", 0), "output.value": "x" }),
        },
        {
          id: "grade",
          parent: "graph",
          at: 10,
          name: "grade",
          attributes: kind("CHAIN", {
            ...node("grade", 1),
            "output.value": '{"docs":["one","two"],"branch:to:x":null}',
          }),
        },
        {
          id: "write",
          parent: "grade",
          at: 11,
          name: "ChannelWrite<docs>",
          attributes: kind("CHAIN", { ...node("grade", 1), "output.value": "x" }),
        },
        {
          id: "route",
          parent: "grade",
          at: 12,
          name: "decide",
          attributes: kind("CHAIN", { ...node("grade", 1), "output.value": "generate" }),
        },
        {
          id: "say",
          parent: "graph",
          at: 20,
          name: "generate",
          attributes: kind("CHAIN", { ...node("generate", 2), "output.value": "{'answer': 'A lamp.'}" }),
        },
      ),
    );
    const [found] = trajectories;
    expect(found!.trajectory.task.question).toBe("What is it?");
    expect(types(found!)).toEqual(["grade", "generate"]);
    expect(gains(found!)).toEqual([["evidence docs: one", "evidence docs: two"], ["answer answer: A lamp."]]);
    expect(used).toMatchObject({
      start: "openinference:plumbing",
      write: "openinference:plumbing",
      route: "openinference:plumbing",
    });
  });
});
