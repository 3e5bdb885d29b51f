import { describe, expect, it } from "vitest";
import { chained, gains, read, spansOf, types } from "../spans.test-support.ts";

const json = JSON.stringify;
const entity = (kind: string, name: string, input?: unknown, output?: unknown) => ({
  "traceloop.span.kind": kind,
  "traceloop.entity.name": name,
  ...(input !== undefined && { "traceloop.entity.input": json(input) }),
  ...(output !== undefined && { "traceloop.entity.output": json(output) }),
});
const completion = (fields: object) =>
  Object.fromEntries(Object.entries(fields).map(([key, value]) => [`gen_ai.completion.0.${key}`, value]));

describe("Traceloop", () => {
  it("reads a workflow with agent, tool and task, its model calls in the older generation", () => {
    const { trajectories, counts, used } = read(
      spansOf(
        {
          id: "flow",
          until: 100,
          name: "lamp.workflow",
          attributes: entity("workflow", "lamp", { args: [], kwargs: { query: "What colour is the lamp?" } }),
        },
        {
          id: "agent",
          parent: "flow",
          at: 5,
          until: 95,
          attributes: entity("agent", "finder", { args: ["x"], kwargs: {} }),
        },
        {
          id: "a",
          parent: "agent",
          at: 10,
          name: "openai.chat",
          attributes: {
            "llm.request.type": "chat",
            "gen_ai.prompt.0.role": "user",
            "gen_ai.prompt.0.content": "What colour is the lamp?",
            ...completion({
              role: "assistant",
              "tool_calls.0.id": "c1",
              "tool_calls.0.name": "search",
              "tool_calls.0.arguments": '{"q": "lamp"}',
            }),
          },
        },
        {
          id: "tool",
          parent: "agent",
          at: 20,
          name: "search.tool",
          attributes: entity(
            "tool",
            "search",
            { input_str: "{'q': 'lamp'}", tags: [] },
            { output: "It is green.", kwargs: {} },
          ),
        },
        {
          id: "task",
          parent: "flow",
          at: 30,
          name: "format.task",
          attributes: entity("task", "format", { args: ["green"] }, { report: "The lamp is green." }),
        },
      ),
    );
    const [found] = trajectories;
    expect(trajectories).toHaveLength(1);
    expect(found!.trajectory.task.question).toBe("What colour is the lamp?");
    expect(types(found!)).toEqual(["model", "tool:search", "format"]);
    expect(gains(found!)).toEqual([
      ['tool_call search: {"q": "lamp"}'],
      ['evidence search: {"output":"It is green.","kwargs":{}}'],
      ["answer report: The lamp is green."],
    ]);
    expect(chained(found!)).toBe(true);
    expect(used).toMatchObject({ flow: "traceloop:run", agent: "traceloop:run", a: "gen-ai:step" });
    expect(counts).toEqual({});
  });

  it("tells tools by their operation, and names them by their message where the span has a class", () => {
    const message = {
      lc: 1,
      type: "constructor",
      id: ["langchain_core", "messages", "ToolMessage"],
      kwargs: { content: "found", tool_call_id: "c1", name: "search", status: "success" },
    };
    const { trajectories } = read(
      spansOf(
        {
          id: "flow",
          until: 100,
          attributes: entity("workflow", "flow", { messages: [{ role: "user", content: "Find it." }] }),
        },
        {
          id: "tool",
          parent: "flow",
          at: 10,
          name: "execute_tool DynamicStructuredTool",
          attributes: {
            ...entity("task", "DynamicStructuredTool", { args: ['{"q":"x"}'] }, message),
            "gen_ai.operation.name": "execute_tool",
          },
        },
      ),
    );
    expect(types(trajectories[0]!)).toEqual(["tool:search"]);
    expect(gains(trajectories[0]!)).toEqual([['tool_call search: {"q":"x"}', "evidence search: found"]]);
  });

  it("reads a tool's GenAI attributes where its entity is empty", () => {
    const { trajectories } = read(
      spansOf(
        { id: "flow", until: 100, attributes: entity("workflow", "flow", { query: "Which?" }) },
        {
          id: "tool",
          parent: "flow",
          at: 10,
          name: "price.tool",
          attributes: {
            "traceloop.span.kind": "tool",
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.name": "price",
            "gen_ai.tool.call.arguments": '{"of":"x"}',
            "gen_ai.tool.call.result": "12",
          },
        },
      ),
    );
    expect(gains(trajectories[0]!)).toEqual([['tool_call price: {"of":"x"}', "evidence price: 12"]]);
  });

  it("reads the steps of a workflow without spans inside from the conversation it gave", () => {
    const conversation = {
      messages: [
        { role: "user", content: "Find it." },
        {
          role: "assistant",
          content: "Looking.",
          tool_calls: [{ id: "c1", name: "search", args: { q: "x" } }],
        },
        { role: "tool", tool_call_id: "c1", content: "found" },
        { role: "assistant", content: "Here it is." },
      ],
    };
    const { trajectories, counts } = read(
      spansOf(
        {
          id: "flow",
          trace: "t1",
          name: "workflow CompiledStateGraph",
          attributes: entity(
            "workflow",
            "CompiledStateGraph",
            { messages: [{ role: "user", content: "Find it." }] },
            conversation,
          ),
        },
        // Version 0.27 of its LangChain.js instrumentation begins a trace with every span.
        {
          id: "node",
          trace: "t2",
          name: "workflow RunnableSequence",
          attributes: entity("workflow", "RunnableSequence", conversation, conversation),
        },
        {
          id: "lone",
          trace: "t3",
          name: "execute_tool x",
          attributes: {
            ...entity("task", "x", { args: [] }, "found"),
            "gen_ai.operation.name": "execute_tool",
          },
        },
      ),
    );
    expect(trajectories).toHaveLength(1);
    const [found] = trajectories;
    expect(types(found!)).toEqual(["model", "tool:search", "model"]);
    expect(gains(found!)).toEqual([
      ["reasoning assistant: Looking.", 'tool_call search: {"q":"x"}'],
      ["evidence search: found"],
      ["answer assistant: Here it is."],
    ]);
    expect(found!.fidelity).toContain("3 steps are read from what the run gave");
    expect(found!.trajectory.steps.map(({ stepId, extra }) => [stepId, extra!["told_by"]])).toEqual([
      ["flow-told", "run_output"],
      ["flow-told-2", "run_output"],
      ["flow-told-3", "run_output"],
    ]);
    expect(counts).toEqual({ run_as_step: 1, no_calls: 1, no_model_call: 1 });
  });
});
