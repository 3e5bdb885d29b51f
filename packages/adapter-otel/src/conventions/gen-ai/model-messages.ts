import type { OtelLog, OtelSpan } from "../../spans/otel-span.ts";
import { contentPieces } from "../messages/content-pieces.ts";
import { sideCalls } from "../messages/tool-pieces.ts";
import { completionPieces, conversationPieces } from "../messages/conversation.ts";
import { field, isMap, opened, textField } from "../messages/foreign-json.ts";
import type { Piece } from "../messages/piece.ts";
import type { SpanReading } from "../span-reading.ts";
import { spanValue } from "../span-values.ts";
import { eventMessages, type Messages } from "./event-messages.ts";
import { flattenedMessages } from "./flattened-messages.ts";

/** any-agent lists a model's calls as `{"tool.name", "tool.args"}`. */
function vendorCalls(value: unknown): readonly Piece[] | undefined {
  const open = opened(value);
  if (!Array.isArray(open) || open.length === 0) return undefined;
  const calls = (open as readonly unknown[]).filter(isMap);
  if (!calls.every((item) => textField(item, "tool.name") !== undefined)) return undefined;
  return sideCalls(calls.map((item) => ({ name: field(item, "tool.name"), args: field(item, "tool.args") })));
}

/** The system prompt that travels in an attribute of its own, unless the messages begin with it. */
function withInstructions(
  span: OtelSpan,
  pieces: readonly Piece[] | undefined,
): readonly Piece[] | undefined {
  const instructions = spanValue(span, "gen_ai.system_instructions");
  if (instructions === undefined) return pieces;
  const system = contentPieces(opened(instructions), { role: "system" });
  const [first] = pieces ?? [];
  if (first?.is === "text" && first.role === "system") return pieces;
  return [...system, ...(pieces ?? [])];
}

function structured(span: OtelSpan): Messages {
  const input = conversationPieces(spanValue(span, "gen_ai.input.messages"));
  const given = spanValue(span, "gen_ai.output.messages", "gen_ai.output");
  return {
    input: withInstructions(span, input),
    output: given === undefined ? undefined : (vendorCalls(given) ?? completionPieces(given)),
  };
}

function has(messages: Messages): boolean {
  return messages.input !== undefined || messages.output !== undefined;
}

/** What a model call was given and gave, in the newest form the span or its log records have. */
export function modelMessages(
  span: OtelSpan,
  logs: readonly OtelLog[],
): Pick<SpanReading, "input" | "output"> {
  const newest = structured(span);
  const events = newest.input === undefined || newest.output === undefined ? eventMessages(span, logs) : {};
  const oldest = has(newest) || has(events) ? {} : flattenedMessages(span);
  const input = newest.input ?? events.input ?? oldest.input;
  const output = newest.output ?? events.output ?? oldest.output;
  return { ...(input !== undefined && { input }), ...(output !== undefined && { output }) };
}
