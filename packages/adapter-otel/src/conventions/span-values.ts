import type { OtelSpan } from "../spans/otel-span.ts";
import { callIdOf } from "./messages/call-id.ts";
import { isMap, opened, textOf } from "./messages/foreign-json.ts";
import type { CallUsage, SpanReading } from "./span-reading.ts";

/** The first of the named attributes that is a text with something in it. */
export function spanText(span: OtelSpan, ...keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const value = span.attributes.get(key);
    if (typeof value === "string" && value !== "") return value;
  }
  return undefined;
}

/** The first of the named attributes that is there at all. */
export function spanValue(span: OtelSpan, ...keys: readonly string[]): unknown {
  for (const key of keys) {
    const value = span.attributes.get(key);
    if (value !== undefined && value !== null) return value;
  }
  return undefined;
}

/** The same as text: texts as they are, other values as JSON. */
export function spanValueText(span: OtelSpan, ...keys: readonly string[]): string | undefined {
  return textOf(spanValue(span, ...keys));
}

/**
 * How tracers name the id of the call a tool's span is about. Any of them may stand on a span of any convention: hosts
 * set the standard's beside their own, and several instrumentations may write to one span.
 */
const CALL_IDS = [
  "gen_ai.tool.call.id",
  "gen_ai.tool.call_id",
  "ai.toolCall.id",
  "tool_call.id",
  "langfuse.observation.metadata.tool_call_id",
  "langfuse.observation.metadata.toolCallId",
  "langsmith.metadata.tool_call_id",
  "tool_call_id",
];

/**
 * The id of the call a tool's span is about: its convention's own attributes first, then any other's, then what the
 * result says.
 */
export function spanCallId(
  span: OtelSpan,
  own: readonly string[],
  result: { readonly id?: string },
): string | undefined {
  return callIdOf(...[...own, ...CALL_IDS].map((key) => span.attributes.get(key)), result.id);
}

/** A token count: a finite number, or a text or bigint that is one; anything else is absent. */
export function tokenCount(value: unknown): number | undefined {
  const count = typeof value === "bigint" || typeof value === "string" ? Number(value) : value;
  if (typeof count !== "number" || value === "" || !Number.isFinite(count) || count < 0) return undefined;
  return count;
}

export function callUsage(prompt: unknown, completion: unknown): { usage?: CallUsage } {
  const asked = tokenCount(prompt);
  const gave = tokenCount(completion);
  if (asked === undefined && gave === undefined) return {};
  return {
    usage: { ...(asked !== undefined && { prompt: asked }), ...(gave !== undefined && { completion: gave }) },
  };
}

/** The first of the named attributes that holds a count. */
export function spanCount(span: OtelSpan, ...keys: readonly string[]): number | undefined {
  for (const key of keys) {
    const count = tokenCount(span.attributes.get(key));
    if (count !== undefined) return count;
  }
  return undefined;
}

/** An object in an attribute, as JSON text or structured. */
export function spanMap(span: OtelSpan, key: string): { readonly [key: string]: unknown } | undefined {
  const open = opened(span.attributes.get(key));
  return isMap(open) ? open : undefined;
}

/** Whether the span failed, and what its status or its exception says. Stack traces are not read. */
export function spanFailure(span: OtelSpan): Pick<SpanReading, "failed" | "failure"> {
  const thrown = span.events.find((event) => event.name === "exception");
  if (span.status.code !== "error" && !(thrown !== undefined && span.status.code === "unset")) return {};
  const message = thrown?.attributes.get("exception.message");
  const failure = span.status.message || (typeof message === "string" ? message : "");
  return { failed: true, ...(failure !== "" && { failure }) };
}

/**
 * The same of a tool's span, of which its result may tell as well. An exception that was recorded on the way to a
 * result, in a span that nothing calls failed, was dealt with: what came back is evidence, unless it is the exception.
 */
export function toolFailure(
  span: OtelSpan,
  { text = "", failed }: { readonly text?: string | undefined; readonly failed: boolean },
): Pick<SpanReading, "failed" | "failure"> {
  const own = spanFailure(span);
  const isAllThereIs = text === "" || (own.failure !== undefined && text.includes(own.failure));
  if (!failed && span.status.code === "unset" && !isAllThereIs) return {};
  return failed ? { ...own, failed } : own;
}

/** Drops what is undefined, so that optional fields are absent rather than undefined. */
export function present<T extends object>(fields: { [K in keyof T]: T[K] | undefined }): T {
  const kept: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) kept[name] = value;
  return kept as T;
}
