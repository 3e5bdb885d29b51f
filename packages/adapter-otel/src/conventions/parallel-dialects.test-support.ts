import type { SpanFields } from "./spans.test-support.ts";

export const json = JSON.stringify;
const QUESTION = "What colour are lamp and door?";
/** Asked for in this order. */
export const asked = [
  { id: "c1", q: "lamp", gave: "The lamp is green." },
  { id: "c2", q: "door", gave: "The door is red." },
] as const;
/** Came back in this order. */
export const came = [asked[1], asked[0]] as const;

type Call = (typeof asked)[number];
export type Attributes = Record<string, unknown>;

/** One way to write a run in which a model calls one tool twice and is shown the results the other way round. */
export interface Dialect {
  readonly name: string;
  readonly root: Attributes;
  /** Name of the spans of tools, where it matters. */
  readonly toolName?: string;
  readonly tool: (call: Call) => Attributes;
  readonly first: Attributes;
  readonly second: Attributes;
}

export const user = { role: "user", content: QUESTION };
export const said = { role: "assistant", content: "Green and red." };
export const chatCalls = asked.map(({ id, q }) => ({ id, name: "search", args: { q } }));
export const turn = { role: "assistant", content: "", tool_calls: chatCalls };
export const chatResults = came.map(({ id, gave }) => ({ role: "tool", tool_call_id: id, content: gave }));

export const genAi = (name: string, more: Attributes): Attributes => ({
  "gen_ai.operation.name": name,
  ...more,
});
export const messages = (name: string, list: readonly unknown[]): Attributes => ({
  [`gen_ai.${name}.messages`]: json(list),
});
const genAiModels = {
  first: genAi("chat", { ...messages("input", [user]), ...messages("output", [turn]) }),
  second: genAi("chat", {
    ...messages("input", [user, turn, ...chatResults]),
    ...messages("output", [said]),
  }),
};

function flat(prefix: string, fields: object): Attributes {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([key, value]): [string, unknown][] =>
      typeof value === "object" && value !== null
        ? Object.entries(flat(`${prefix}.${key}`, value as object))
        : [[`${prefix}.${key}`, value]],
    ),
  );
}

const flatTurn = {
  role: "assistant",
  tool_calls: asked.map(({ id, q }) => ({ id, name: "search", arguments: json({ q }) })),
};
const traceloopModel = (given: readonly object[], gave: object): Attributes => ({
  "llm.request.type": "chat",
  ...flat("gen_ai.prompt", given),
  ...flat("gen_ai.completion", [gave]),
});

const spoken = (message: object): object => ({ message });
const inferTurn = spoken({
  role: "assistant",
  tool_calls: asked.map(({ id, q }) => ({
    tool_call: { id, function: { name: "search", arguments: json({ q }) } },
  })),
});
const inferModel = (given: readonly object[], gave: object): Attributes => ({
  "openinference.span.kind": "LLM",
  ...flat("llm.input_messages", given),
  ...flat("llm.output_messages", [gave]),
});

const sdkCalls = asked.map(({ id, q }) => ({
  type: "tool-call",
  toolCallId: id,
  toolName: "search",
  input: { q },
}));
const sdkUser = { role: "user", content: [{ type: "text", text: QUESTION }] };
const sdkResults = {
  role: "tool",
  content: came.map(({ id, gave }) => ({
    type: "tool-result",
    toolCallId: id,
    toolName: "search",
    output: { type: "text", value: gave },
  })),
};
const sdkModel = (given: readonly object[], more: Attributes): Attributes => ({
  "ai.operationId": "ai.generateText.doGenerate",
  "ai.prompt.messages": json(given),
  ...more,
});

const adkUser = { role: "user", parts: [{ text: QUESTION }] };
const adkTurn = {
  role: "model",
  parts: asked.map(({ id, q }) => ({ function_call: { id, name: "search", args: { q } } })),
};
const adkModel = (contents: readonly object[], content: object): Attributes => ({
  ...genAi("call_llm", { "gen_ai.system": "gcp.vertex.agent" }),
  "gcp.vertex.agent.llm_request": json({ contents }),
  "gcp.vertex.agent.llm_response": json({ content }),
});

const observed = (type: string, input: unknown, output?: unknown): Attributes => ({
  "langfuse.observation.type": type,
  ...(input !== undefined && { "langfuse.observation.input": json(input) }),
  ...(output !== undefined && {
    "langfuse.observation.output": typeof output === "string" ? output : json(output),
  }),
});

const serialised = (name: string, kwargs: object) => ({
  lc: 1,
  type: "constructor",
  id: ["langchain_core", "messages", name],
  kwargs,
});
const toolMessage = ({ id, gave }: Call) =>
  serialised("ToolMessage", { content: gave, tool_call_id: id, name: "search" });
const smithModel = (given: readonly object[], gave: object): Attributes =>
  genAi("chat", {
    "langsmith.span.kind": "llm",
    "gen_ai.prompt": json({ messages: [given] }),
    "gen_ai.completion": json({ generations: [[{ text: "", message: gave }]] }),
  });
const smithUser = serialised("HumanMessage", { content: QUESTION });
const smithTurn = serialised("AIMessage", { content: "", tool_calls: chatCalls });

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
