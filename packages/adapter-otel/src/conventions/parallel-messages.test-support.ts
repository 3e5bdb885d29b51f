export const json = JSON.stringify;
export const QUESTION = "What colour are lamp and door?";
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
export const genAiModels = {
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

export const flatTurn = {
  role: "assistant",
  tool_calls: asked.map(({ id, q }) => ({ id, name: "search", arguments: json({ q }) })),
};
export const traceloopModel = (given: readonly object[], gave: object): Attributes => ({
  "llm.request.type": "chat",
  ...flat("gen_ai.prompt", given),
  ...flat("gen_ai.completion", [gave]),
});

export const spoken = (message: object): object => ({ message });
export const inferTurn = spoken({
  role: "assistant",
  tool_calls: asked.map(({ id, q }) => ({
    tool_call: { id, function: { name: "search", arguments: json({ q }) } },
  })),
});
export const inferModel = (given: readonly object[], gave: object): Attributes => ({
  "openinference.span.kind": "LLM",
  ...flat("llm.input_messages", given),
  ...flat("llm.output_messages", [gave]),
});

export const sdkCalls = asked.map(({ id, q }) => ({
  type: "tool-call",
  toolCallId: id,
  toolName: "search",
  input: { q },
}));
export const sdkUser = { role: "user", content: [{ type: "text", text: QUESTION }] };
export const sdkResults = {
  role: "tool",
  content: came.map(({ id, gave }) => ({
    type: "tool-result",
    toolCallId: id,
    toolName: "search",
    output: { type: "text", value: gave },
  })),
};
export const sdkModel = (given: readonly object[], more: Attributes): Attributes => ({
  "ai.operationId": "ai.generateText.doGenerate",
  "ai.prompt.messages": json(given),
  ...more,
});

export const adkUser = { role: "user", parts: [{ text: QUESTION }] };
export const adkTurn = {
  role: "model",
  parts: asked.map(({ id, q }) => ({ function_call: { id, name: "search", args: { q } } })),
};
export const adkModel = (contents: readonly object[], content: object): Attributes => ({
  ...genAi("call_llm", { "gen_ai.system": "gcp.vertex.agent" }),
  "gcp.vertex.agent.llm_request": json({ contents }),
  "gcp.vertex.agent.llm_response": json({ content }),
});

export const observed = (type: string, input: unknown, output?: unknown): Attributes => ({
  "langfuse.observation.type": type,
  ...(input !== undefined && { "langfuse.observation.input": json(input) }),
  ...(output !== undefined && {
    "langfuse.observation.output": typeof output === "string" ? output : json(output),
  }),
});

export const serialised = (name: string, kwargs: object) => ({
  lc: 1,
  type: "constructor",
  id: ["langchain_core", "messages", name],
  kwargs,
});
export const toolMessage = ({ id, gave }: Call) =>
  serialised("ToolMessage", { content: gave, tool_call_id: id, name: "search" });
export const smithModel = (given: readonly object[], gave: object): Attributes =>
  genAi("chat", {
    "langsmith.span.kind": "llm",
    "gen_ai.prompt": json({ messages: [given] }),
    "gen_ai.completion": json({ generations: [[{ text: "", message: gave }]] }),
  });
export const smithUser = serialised("HumanMessage", { content: QUESTION });
export const smithTurn = serialised("AIMessage", { content: "", tool_calls: chatCalls });
