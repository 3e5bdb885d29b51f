import { messageListPieces, messagePieces } from "./chat-message.ts";
import { contentPieces } from "./content-pieces.ts";
import { field, isMap, opened, textField, type JsonMap } from "./foreign-json.ts";
import { sideCalls } from "./tool-pieces.ts";
import type { Piece } from "./piece.ts";

/** Lists of messages that stand under a name, in the order in which they are looked for. */
const LISTS = ["messages", "message", "contents", "input", "output", "inputs", "outputs", "items"];
const DEEPEST = 4;

/** A system prompt that stands beside the messages. */
function systemBeside(map: JsonMap): readonly Piece[] {
  const config = field(map, "config");
  const beside =
    field(map, "system", "system_instruction", "systemInstruction", "instructions") ??
    (isMap(config) ? field(config, "system_instruction", "systemInstruction") : undefined);
  const open = isMap(beside) ? (field(beside, "parts", "content", "text") ?? undefined) : beside;
  return open === undefined ? [] : contentPieces(open, { role: "system" });
}

/** Completions of LangChain (`generations`) and of chat APIs (`choices`): the first is what was used. */
function completion(map: JsonMap): readonly Piece[] | undefined {
  const generations = field(map, "generations");
  const first: unknown = Array.isArray(generations) ? generations[0] : undefined;
  const generation: unknown = Array.isArray(first) ? first[0] : first;
  if (isMap(generation)) {
    const read = messagePieces(field(generation, "message"));
    const text = textField(generation, "text");
    return read ?? (text === undefined ? [] : [{ is: "text", role: "assistant", text }]);
  }
  const choices = field(map, "choices", "candidates");
  const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
  if (isMap(choice)) return messagePieces(field(choice, "message", "delta")) ?? modelContent(choice);
  return modelContent(map);
}

/** Gemini's answer: `{content: {parts, role}}`. */
function modelContent(map: JsonMap): readonly Piece[] | undefined {
  const content = field(map, "content");
  if (!isMap(content) || !Array.isArray(field(content, "parts"))) return undefined;
  return messagePieces({ ...content, role: "model" });
}

/** Fields that only the raw response of a provider has: what is not read out of one is nobody's answer. */
const RESPONSE =
  /^(?:sdk_http_response|usage_?metadata|usage|headers|candidates|choices|generations|finish_?reason|model_version|system_fingerprint|response_metadata)$/i;

/**
 * The pieces of a conversation in whatever a tracer wrote: a list of messages, one message, a request
 * or response of a provider, or an object that holds one of these. Undefined where there is none, so
 * that a text or a foreign object is never taken for messages.
 */
export function conversationPieces(value: unknown, depth = 0): readonly Piece[] | undefined {
  const open = opened(value);
  if (depth > DEEPEST) return undefined;
  if (Array.isArray(open)) {
    const list = open as readonly unknown[];
    // LangChain gives a batch of conversations, of which a chat has one.
    if (list.length > 0 && Array.isArray(list[0]) && typeof (list[0] as readonly unknown[])[0] !== "string") {
      return conversationPieces(list[0], depth + 1);
    }
    return messageListPieces(list);
  }
  if (!isMap(open)) return undefined;
  const ended = completion(open);
  if (ended !== undefined) return ended;
  const single = messagePieces(open);
  if (single !== undefined) return single;
  // LangGraph's Command: what a node adds to the state.
  const update = Object.hasOwn(open, "lg_name") ? field(open, "update") : undefined;
  if (update !== undefined) return conversationPieces(update, depth + 1);
  for (const name of LISTS) {
    const inner = field(open, name);
    if (typeof inner !== "object" || inner === null) continue;
    const read = conversationPieces(inner, depth + 1) ?? commandPieces(inner, depth);
    if (read !== undefined) return [...systemBeside(open), ...read];
  }
  return undefined;
}

function commandPieces(value: object, depth: number): readonly Piece[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const commands = (value as readonly unknown[])
    .filter(isMap)
    .filter((item) => field(item, "lg_name") === "Command");
  const pieces = commands.flatMap((command) => conversationPieces(command, depth + 1) ?? []);
  return pieces.length > 0 ? pieces : undefined;
}

/** What a model was given: a conversation's pieces, or a prompt that is a plain text. */
export function promptPieces(value: unknown): readonly Piece[] | undefined {
  const read = conversationPieces(value);
  if (read !== undefined) return read;
  const open = opened(value);
  const args: unknown = isMap(open) ? field(open, "args") : undefined;
  const text = isMap(open)
    ? (textField(open, "contents", "prompt", "input", "query") ?? (Array.isArray(args) ? args[0] : undefined))
    : open;
  return typeof text === "string" && text !== "" ? [{ is: "text", role: "user", text }] : undefined;
}

/** A response repeats instructions and questions; what the model gave is only the rest. */
export function givenBack(pieces: readonly Piece[] | undefined): readonly Piece[] | undefined {
  return pieces?.filter((piece) => piece.is !== "text" || (piece.role !== "system" && piece.role !== "user"));
}

/** What a model gave: a conversation's pieces, a list of calls, or a text of its own. */
export function completionPieces(value: unknown): readonly Piece[] | undefined {
  if (value === undefined || value === null || value === "") return undefined;
  const read = givenBack(conversationPieces(value));
  if (read !== undefined) return read;
  const open = opened(value);
  if (Array.isArray(open) && open.length > 0) {
    const calls = (open as readonly unknown[]).every(
      (item) => isMap(item) && textField(item, "toolName", "tool_name") !== undefined,
    );
    if (calls) return sideCalls(open);
  }
  if (isMap(open) && Object.keys(open).some((key) => RESPONSE.test(key))) {
    const text = textField(open, "output_text", "text", "content");
    return text === undefined ? undefined : [{ is: "text", role: "assistant", text }];
  }
  return contentPieces(typeof value === "string" ? value : open, { role: "assistant" });
}
