import {
  json,
  QUESTION,
  came,
  type Attributes,
  type Dialect,
  user,
  said,
  turn,
  chatResults,
  genAi,
  genAiModels,
  flatTurn,
  traceloopModel,
  spoken,
  inferTurn,
  inferModel,
  sdkCalls,
  sdkUser,
  sdkResults,
  sdkModel,
  adkUser,
  adkTurn,
  adkModel,
  observed,
  serialised,
  toolMessage,
  smithModel,
  smithUser,
  smithTurn,
} from "./parallel-messages.test-support.ts";
import type { SpanFields } from "./spans.test-support.ts";

/** No tool's span has its arguments: nothing but the id tells which call it answers. */
export const dialects: Dialect[] = [
  {
    name: "GenAI conventions: gen_ai.tool.call.id",
    root: genAi("invoke_agent", { "gen_ai.agent.name": "finder" }),
    tool: ({ id, gave }) =>
      genAi("execute_tool", {
        "gen_ai.tool.name": "search",
        "gen_ai.tool.call.id": id,
        "gen_ai.tool.call.result": gave,
      }),
    ...genAiModels,
  },
  {
    name: "AI SDK: ai.toolCall.id",
    root: { "ai.operationId": "ai.generateText", "ai.prompt": json({ prompt: QUESTION }) },
    tool: ({ id, gave }) => ({
      "ai.operationId": "ai.toolCall",
      "ai.toolCall.name": "search",
      "ai.toolCall.id": id,
      "ai.toolCall.result": gave,
    }),
    first: sdkModel([sdkUser], { "ai.response.toolCalls": json(sdkCalls) }),
    second: sdkModel([sdkUser, { role: "assistant", content: sdkCalls }, sdkResults], {
      "ai.response.text": "Green and red.",
    }),
  },
  ...["tool_call.id", "tool.id"].map((key): Dialect => ({
    name: `OpenInference: ${key}`,
    root: { "openinference.span.kind": "AGENT", "input.value": QUESTION },
    tool: ({ id, gave }) => ({
      "openinference.span.kind": "TOOL",
      "tool.name": "search",
      [key]: id,
      "output.value": gave,
    }),
    first: inferModel([spoken(user)], inferTurn),
    second: inferModel([spoken(user), inferTurn, ...chatResults.map(spoken)], spoken(said)),
  })),
  {
    name: "OpenInference: the id in the tool's message",
    root: { "openinference.span.kind": "AGENT", "input.value": QUESTION },
    toolName: "search",
    tool: (call) => ({ "openinference.span.kind": "TOOL", "output.value": json(toolMessage(call)) }),
    first: inferModel([spoken(user)], inferTurn),
    second: inferModel([spoken(user), inferTurn, ...chatResults.map(spoken)], spoken(said)),
  },
  {
    name: "Google ADK: gen_ai.tool.call.id",
    root: {
      ...genAi("invoke_agent", { "gen_ai.agent.name": "finder" }),
      "gen_ai.system": "gcp.vertex.agent",
    },
    tool: ({ id, gave }) =>
      genAi("execute_tool", {
        "gen_ai.system": "gcp.vertex.agent",
        "gen_ai.tool.name": "search",
        "gen_ai.tool.call.id": id,
        "gcp.vertex.agent.tool_response": json({ result: gave }),
      }),
    first: adkModel([adkUser], adkTurn),
    second: adkModel(
      [
        adkUser,
        adkTurn,
        {
          role: "user",
          parts: came.map(({ id, gave }) => ({
            function_response: { id, name: "search", response: { result: gave } },
          })),
        },
      ],
      { role: "model", parts: [{ text: "Green and red." }] },
    ),
  },
  {
    name: "Traceloop: gen_ai.tool.call.id",
    root: {
      "traceloop.span.kind": "workflow",
      "traceloop.entity.name": "flow",
      "traceloop.entity.input": json({ inputs: { question: QUESTION } }),
    },
    tool: ({ id, gave }) => ({
      "traceloop.span.kind": "tool",
      "traceloop.entity.name": "search",
      "traceloop.entity.output": json({ outputs: gave }),
      "gen_ai.tool.call.id": id,
    }),
    first: traceloopModel([user], flatTurn),
    second: traceloopModel([user, flatTurn, ...chatResults], said),
  },
  {
    name: "Traceloop: the id in the tool's message",
    root: { "traceloop.span.kind": "workflow", "traceloop.entity.name": "flow" },
    tool: (call) => ({
      "traceloop.span.kind": "tool",
      "traceloop.entity.name": "search",
      "traceloop.entity.output": json(toolMessage(call)),
    }),
    first: traceloopModel([user], flatTurn),
    second: traceloopModel([user, flatTurn, ...chatResults], said),
  },
  {
    name: "Langfuse: the id in the tool's message",
    root: observed("agent", { messages: [user] }),
    toolName: "search",
    tool: ({ id, gave }) => observed("tool", undefined, { type: "tool", content: gave, tool_call_id: id }),
    first: observed("generation", [user], turn),
    second: observed("generation", [user, turn, ...chatResults], said),
  },
  {
    name: "Langfuse: the id in the metadata",
    root: observed("agent", { messages: [user] }),
    toolName: "search",
    tool: ({ id, gave }) => ({
      ...observed("tool", undefined, gave),
      "langfuse.observation.metadata.tool_call_id": id,
    }),
    first: observed("generation", [user], turn),
    second: observed("generation", [user, turn, ...chatResults], said),
  },
  {
    name: "Langfuse: the id in the metadata as JSON text",
    root: observed("agent", { messages: [user] }),
    toolName: "search",
    tool: ({ id, gave }) => ({
      ...observed("tool", undefined, gave),
      "langfuse.observation.metadata": json({ tool_call_id: id }),
    }),
    first: observed("generation", [user], turn),
    second: observed("generation", [user, turn, ...chatResults], said),
  },
  {
    name: "LangSmith: the id in the tool's message",
    root: genAi("invoke_agent", { "gen_ai.agent.name": "finder" }),
    tool: (call) =>
      genAi("execute_tool", {
        "langsmith.span.kind": "tool",
        "gen_ai.tool.name": "search",
        "gen_ai.completion": json({ output: toolMessage(call) }),
      }),
    first: smithModel([smithUser], smithTurn),
    second: smithModel(
      [smithUser, smithTurn, ...came.map(toolMessage)],
      serialised("AIMessage", { content: "Green and red." }),
    ),
  },
  {
    name: "LangSmith: langsmith.metadata.tool_call_id",
    root: genAi("invoke_agent", { "gen_ai.agent.name": "finder" }),
    tool: ({ id, gave }) =>
      genAi("execute_tool", {
        "langsmith.span.kind": "tool",
        "langsmith.metadata.tool_call_id": id,
        "gen_ai.tool.name": "search",
        "gen_ai.completion": json({ output: gave }),
      }),
    first: smithModel([smithUser], smithTurn),
    second: smithModel(
      [smithUser, smithTurn, ...came.map(toolMessage)],
      serialised("AIMessage", { content: "Green and red." }),
    ),
  },
];

/** The run, the tools' spans in the order in which they came back; some parts may be left out. */
export function spans(dialect: Dialect, { tools = true, later = true } = {}): SpanFields[] {
  const { root, toolName = "search", tool, first, second } = dialect;
  const at = (id: string, when: number, attributes: Attributes, name = id): SpanFields => ({
    id,
    parent: "run",
    name,
    at: when,
    until: when + 2,
    attributes,
  });
  return [
    { id: "run", at: 0, until: 100, attributes: root },
    at("ask", 10, first),
    ...(tools ? came.map((call, i) => at(call.id, 20 + 5 * i, tool(call), toolName)) : []),
    ...(later ? [at("say", 40, second)] : []),
  ];
}
