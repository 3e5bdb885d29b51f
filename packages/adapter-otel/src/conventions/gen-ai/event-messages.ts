import type { AttributeValue, OtelLog, OtelSpan } from "../../spans/otel-span.ts";
import { messagePieces } from "../messages/chat-message.ts";
import { completionPieces, conversationPieces } from "../messages/conversation.ts";
import { field, isMap, opened } from "../messages/foreign-json.ts";
import type { Piece } from "../messages/piece.ts";

export interface Messages {
  readonly input?: readonly Piece[] | undefined;
  readonly output?: readonly Piece[] | undefined;
}

const ROLE = /^gen_ai\.(system|user|assistant|tool)\.message$/;

interface Told {
  readonly name: string;
  readonly timeNanos: bigint;
  readonly body: unknown;
  readonly attributes: ReadonlyMap<string, AttributeValue>;
}

/** The message of an event: fields stand in its body, or on the event as attributes, where objects are JSON text. */
function messageFields({ body, attributes }: Told): { [key: string]: unknown } {
  const fields: [string, unknown][] = [];
  for (const key of ["role", "content", "tool_calls", "id", "name", "message"]) {
    const value = attributes.get(key) ?? attributes.get(`gen_ai.${key}`);
    if (value !== undefined) fields.push([key, key === "content" ? value : opened(value)]);
  }
  const open = opened(body);
  const own = isMap(open) ? Object.entries(open) : typeof open === "string" ? [["content", open]] : [];
  return Object.fromEntries([...fields, ...own]);
}

function inputPieces(told: Told, role: string): readonly Piece[] {
  const fields = messageFields(told);
  const id = field(fields, "id");
  // The event of a tool's message calls the id of the call `id`.
  const callId = role === "tool" && id !== undefined ? { tool_call_id: id } : {};
  return messagePieces({ content: "", ...fields, role, ...callId }) ?? [];
}

function choicePieces(told: Told): readonly Piece[] {
  const fields = messageFields(told);
  const message = field(fields, "message");
  // The message itself, or its content alone.
  const body =
    isMap(message) || message === undefined ? (message ?? fields) : { ...fields, content: message };
  return messagePieces({ content: "", ...(body as object), role: "assistant" }) ?? [];
}

/**
 * Messages that travel as events: one a message (`gen_ai.user.message`, `gen_ai.choice`), as events of
 * the span or as log records; a whole call in one (`gen_ai.client.inference.operation.details`); or the
 * oldest `gen_ai.content.prompt` and `gen_ai.content.completion`.
 */
export function eventMessages(span: OtelSpan, logs: readonly OtelLog[]): Messages {
  const told: Told[] = [
    ...span.events.map((event) => ({ ...event, body: undefined })),
    ...logs.map((log) => ({ ...log, name: log.eventName ?? "" })),
  ].filter(({ name }) => name.startsWith("gen_ai."));
  // Stable: messages of one moment keep the order in which they were written.
  told.sort((a, b) => (a.timeNanos < b.timeNanos ? -1 : a.timeNanos > b.timeNanos ? 1 : 0));
  const input: Piece[] = [];
  const output: Piece[] = [];
  let asked = false;
  let chosen = false;
  for (const one of told) {
    const role = ROLE.exec(one.name)?.[1];
    const body = opened(one.body);
    const within = (key: string): unknown =>
      one.attributes.get(key) ?? (isMap(body) ? field(body, key) : undefined);
    if (role !== undefined) {
      asked = true;
      input.push(...inputPieces(one, role));
    } else if (one.name === "gen_ai.choice") {
      // Of several choices the first is what was used.
      if (!chosen) output.push(...choicePieces(one));
      chosen = true;
    } else {
      const given = conversationPieces(within("gen_ai.input.messages") ?? within("gen_ai.prompt"));
      const gave = completionPieces(within("gen_ai.output.messages") ?? within("gen_ai.completion"));
      if (given !== undefined) {
        asked = true;
        input.push(...given);
      }
      if (gave !== undefined && !chosen) {
        chosen = true;
        output.push(...gave);
      }
    }
  }
  return { input: asked ? input : undefined, output: chosen ? output : undefined };
}
