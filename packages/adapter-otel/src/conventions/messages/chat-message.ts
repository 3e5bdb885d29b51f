import { callIdOf } from "./call-id.ts";
import { contentPieces } from "./content-pieces.ts";
import { field, isMap, opened, textField, type JsonMap } from "./foreign-json.ts";
import { sideCalls } from "./tool-pieces.ts";
import type { Piece, Role } from "./piece.ts";

const ROLES: ReadonlyMap<string, Role | "tool"> = new Map([
  ["system", "system"],
  ["developer", "system"],
  ["user", "user"],
  ["human", "user"],
  ["assistant", "assistant"],
  ["ai", "assistant"],
  ["model", "assistant"],
  ["aimessagechunk", "assistant"],
  ["tool", "tool"],
  ["function", "tool"],
  // smolagents
  ["tool-call", "assistant"],
  ["tool-response", "tool"],
]);

/** Items that stand for themselves in the list of a Responses API call. */
const ITEMS = /^(?:function_call|function_call_output|reasoning|tool_call|tool_result|mcp_call)$/;

/** LangChain's classes by their names: `HumanMessage`, `AIMessageChunk`, `ToolMessage`, ... */
function classRole(id: unknown): string | undefined {
  const name = Array.isArray(id) ? (id as readonly unknown[]).at(-1) : undefined;
  const word = typeof name === "string" ? /^(\w+?)Message(?:Chunk)?$/.exec(name)?.[1] : undefined;
  return word?.toLowerCase();
}

/** The message inside the wrapping of LangChain's serialisers. */
function unwrapped(message: JsonMap): { body: JsonMap; role: string | undefined } {
  const kwargs = field(message, "kwargs");
  if (isMap(kwargs) && (Object.hasOwn(message, "lc") || textField(kwargs, "type") !== undefined)) {
    const role = classRole(field(message, "id")) ?? textField(kwargs, "type");
    return { body: kwargs, role: role === "chat" ? textField(kwargs, "role") : role };
  }
  const type = textField(message, "type");
  const data = field(message, "data");
  if (type !== undefined && ROLES.has(type) && isMap(data)) return { body: data, role: type };
  return {
    body: message,
    role: textField(message, "role") ?? (type !== undefined && ROLES.has(type) ? type : undefined),
  };
}

/** A tool's definition, which some tracers list among the messages. */
function isDefinition(body: JsonMap): boolean {
  const content = field(body, "content");
  return isMap(content) && field(content, "type") === "function" && isMap(field(content, "function"));
}

function reasoningBeside(body: JsonMap): Piece[] {
  const more = field(body, "additional_kwargs");
  const text =
    textField(body, "reasoning_content", "reasoning") ??
    (isMap(more) ? textField(more, "reasoning_content") : undefined);
  return text === undefined ? [] : [{ is: "reasoning", text }];
}

function callsBeside(body: JsonMap): Piece[] {
  const calls = sideCalls(field(body, "tool_calls", "toolCalls"));
  if (calls.length > 0) return calls;
  const more = field(body, "additional_kwargs");
  const nested = isMap(more) ? sideCalls(field(more, "tool_calls")) : [];
  if (nested.length > 0) return nested;
  const old = field(body, "function_call") ?? (isMap(more) ? field(more, "function_call") : undefined);
  return isMap(old) && textField(old, "name") !== undefined ? sideCalls([old]) : [];
}

/**
 * The pieces of one message in any dialect that is in use: chat completions, Responses items, Anthropic,
 * Gemini, Bedrock, the GenAI conventions, AI SDK, LangChain in all its serialisations. Only roles, texts,
 * reasoning, calls and results are read. Undefined for a value that is no message.
 */
export function messagePieces(value: unknown): Piece[] | undefined {
  if (Array.isArray(value)) {
    const [role, text] = value as readonly unknown[];
    const known = value.length === 2 && typeof role === "string" ? ROLES.get(role) : undefined;
    return known === undefined || typeof text !== "string" ? undefined : contentPieces(text, { role: known });
  }
  if (!isMap(value)) return undefined;
  const type = textField(value, "type");
  if (type !== undefined && ITEMS.test(type)) return contentPieces([value], { role: "assistant" });
  const { body, role } = unwrapped(value);
  const content = field(body, "content", "parts");
  const calls = callsBeside(body);
  if (
    role === undefined ||
    !(
      content !== undefined ||
      calls.length > 0 ||
      Object.hasOwn(body, "content") ||
      Object.hasOwn(body, "parts")
    )
  ) {
    return undefined;
  }
  if (isDefinition(body)) return [];
  const known = ROLES.get(role.toLowerCase());
  const own = textField(body, "name", "tool_name");
  const speaker = {
    role: known ?? "other",
    // A role that is no role is a speaker's name; some tracers put a tool's name there.
    name: own ?? (known === undefined ? role : undefined),
    callId: callIdOf(field(body, "tool_call_id", "toolCallId", "call_id")),
    failed: field(body, "status") === "error" || field(body, "is_error", "isError") === true,
  } as const;
  const pieces = [...reasoningBeside(body), ...contentPieces(content, speaker)];
  const seen = new Set(pieces.map((piece) => (piece.is === "call" ? piece.id : undefined)));
  return [
    ...pieces,
    ...calls.filter((piece) => piece.is !== "call" || piece.id === undefined || !seen.has(piece.id)),
  ];
}

/** A tool's message whose role is the tool's name becomes its result. */
function withNamedResults(pieces: readonly Piece[]): readonly Piece[] {
  if (!pieces.some((piece) => piece.is === "text" && piece.role === "other")) return pieces;
  const tools = new Set(pieces.map((piece) => (piece.is === "call" ? piece.name : undefined)));
  return pieces.map((piece): Piece => {
    if (piece.is !== "text" || piece.role !== "other" || piece.name === undefined) return piece;
    return tools.has(piece.name) ? { is: "result", name: piece.name, text: piece.text } : piece;
  });
}

/** The pieces of a list of messages; undefined where not one of its items is a message. */
export function messageListPieces(list: readonly unknown[]): readonly Piece[] | undefined {
  const pieces: Piece[] = [];
  let found = false;
  for (const item of list) {
    const read = messagePieces(opened(item));
    if (read === undefined) continue;
    found = true;
    for (const piece of read) pieces.push(piece);
  }
  return found ? withNamedResults(pieces) : undefined;
}
