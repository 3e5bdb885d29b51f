import type { OtelSpan } from "../../spans/otel-span.ts";
import { messageListPieces } from "../messages/chat-message.ts";
import { completionPieces, conversationPieces, givenBack } from "../messages/conversation.ts";
import { at, groupAttributes, numbered, textAt, type Flat } from "../messages/indexed-attributes.ts";
import type { Piece } from "../messages/piece.ts";
import type { SpanReading } from "../span-reading.ts";
import { spanText, spanValue } from "../span-values.ts";

function part(entry: Flat): object {
  const url = textAt(entry, "message_content", "image", "image", "url");
  return {
    type: textAt(entry, "message_content", "type") ?? "text",
    text: textAt(entry, "message_content", "text"),
    ...(url !== undefined && { url }),
  };
}

function message(entry: Flat): object {
  const parts = numbered(at(entry, "message", "contents")).map(part);
  const name = textAt(entry, "message", "function_call_name");
  return {
    role: textAt(entry, "message", "role"),
    name: textAt(entry, "message", "name"),
    content: parts.length > 0 ? parts : (at(entry, "message", "content") ?? ""),
    tool_call_id: textAt(entry, "message", "tool_call_id"),
    tool_calls: numbered(at(entry, "message", "tool_calls")).map((call) => ({
      id: textAt(call, "tool_call", "id"),
      name: textAt(call, "tool_call", "function", "name"),
      arguments: at(call, "tool_call", "function", "arguments"),
    })),
    ...(name !== undefined && {
      function_call: { name, arguments: textAt(entry, "message", "function_call_arguments_json") },
    }),
  };
}

function flattened(span: OtelSpan, prefix: string): readonly Piece[] | undefined {
  const list = numbered(groupAttributes(span.attributes, prefix)).map(message);
  return list.length === 0 ? undefined : messageListPieces(list);
}

/** Characters that the pieces hold, calls and results counted with their ids. */
function weight(pieces: readonly Piece[]): number {
  let sum = 0;
  for (const piece of pieces) {
    sum += piece.is === "call" ? 1 + piece.args.length : (piece.text?.length ?? 0);
    if (piece.is === "call" || piece.is === "result") sum += (piece.id?.length ?? 0) + 1;
  }
  return sum;
}

/**
 * The fuller of two readings: some instrumentations leave calls, call ids and texts in parts out of the
 * flattened messages and have them in `input.value`; others leave the system prompt out of the latter.
 */
function fuller(
  flat: readonly Piece[] | undefined,
  whole: readonly Piece[] | undefined,
): readonly Piece[] | undefined {
  if (flat === undefined || whole === undefined) return flat ?? whole;
  return whole.length >= flat.length && weight(whole) > weight(flat) ? whole : flat;
}

/** What an LLM span was given and gave. A prompt without messages is a message of the user. */
export function modelMessages(span: OtelSpan): Pick<SpanReading, "input" | "output"> {
  const given = spanValue(span, "input.value");
  const prompts = numbered(groupAttributes(span.attributes, "llm.prompts"));
  const plain = prompts.map((entry) => ({ role: "user", content: textAt(entry, "prompt", "text") ?? entry }));
  const flatInput = flattened(span, "llm.input_messages") ?? messageListPieces(plain);
  const input = fuller(flatInput, conversationPieces(given)) ?? promptOf(span);
  const flatOutput = flattened(span, "llm.output_messages");
  const gave = spanValue(span, "output.value");
  const whole = flatOutput === undefined ? completionPieces(gave) : givenBack(conversationPieces(gave));
  const output = fuller(flatOutput, whole);
  return { ...(input !== undefined && { input }), ...(output !== undefined && { output }) };
}

function promptOf(span: OtelSpan): readonly Piece[] | undefined {
  const text = spanText(span, "input.value");
  const isText = spanText(span, "input.mime_type") !== "application/json";
  return text === undefined || !isText ? undefined : [{ is: "text", role: "user", text }];
}
