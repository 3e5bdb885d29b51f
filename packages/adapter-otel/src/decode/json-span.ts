import type { Attributes, OtelEvent, OtelScope, OtelSpan } from "../spans/otel-span.ts";
import { attributesOf, NO_ATTRIBUTES } from "./attributes.ts";
import type { DecodeContext } from "./decode-sink.ts";
import { identifierOf, SPAN_ID_BYTES, TRACE_ID_BYTES } from "./identifier.ts";
import { integerOf } from "./integer.ts";
import { fieldsAt, firstOf, isFields, listAt, textOf, type JsonFields } from "./json-fields.ts";
import { nanosOf } from "./nanos.ts";

/** Who made a span, where the lists around it say so. */
export interface Origin {
  readonly scope: OtelScope;
  readonly resource: Attributes;
}

export const NO_ORIGIN: Origin = { scope: { name: "" }, resource: NO_ATTRIBUTES };

/**
 * A span of any JSON: OTLP in both spellings, a dump of the JavaScript or Python SDK's spans, any-agent,
 * OpenInference. What cannot be read as a span goes to the sink as invalid.
 */
export function readJsonSpan(fields: JsonFields, origin: Origin, context: DecodeContext): void {
  const { sink, place } = context;
  try {
    const own = fieldsAt(fields, "spanContext", "context", "span_context") ?? fields;
    const traceId = identifierOf(firstOf(own["traceId"], own["trace_id"]), TRACE_ID_BYTES);
    const spanId = identifierOf(firstOf(own["spanId"], own["span_id"]), SPAN_ID_BYTES);
    if (traceId === undefined || spanId === undefined) {
      sink.invalid("span", `the ${traceId === undefined ? "trace" : "span"} id is missing`);
      return;
    }
    const parentSpanId = parentOf(fields);
    const endNanos = spanTime(fields, "end");
    sink.span({
      traceId,
      spanId,
      ...(parentSpanId !== undefined && { parentSpanId }),
      name: textOf(fields["name"]) ?? "",
      startNanos: spanTime(fields, "start") ?? 0n,
      ...(endNanos !== undefined && { endNanos }),
      attributes: attributesOf(fields["attributes"]),
      events: listAt(fields, "events", "span_events").filter(isFields).map(eventOf),
      links: listAt(fields, "links").filter(isFields).flatMap(linkOf),
      status: statusOf(fields["status"]),
      scope: scopeOf(
        firstOf(fields["instrumentationScope"], fields["instrumentationLibrary"], fields["scope"]),
        origin,
      ),
      resource: resourceOf(fields["resource"], origin),
      order: context.nextOrder(),
      place,
    });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    sink.invalid("span", error.message);
  }
}

function parentOf(fields: JsonFields): string | undefined {
  const parent = fieldsAt(fields, "parentSpanContext", "parent");
  const id = firstOf(
    fields["parentSpanId"],
    fields["parent_span_id"],
    fields["parent_id"],
    parent?.["spanId"],
    parent?.["span_id"],
  );
  return identifierOf(id, SPAN_ID_BYTES);
}

/** OTLP names its unit; in dumps it is told by the value. */
function spanTime(fields: JsonFields, side: "start" | "end"): bigint | undefined {
  const exact = integerOf(firstOf(fields[`${side}TimeUnixNano`], fields[`${side}_time_unix_nano`]));
  const nanos = exact ?? nanosOf(firstOf(fields[`${side}Time`], fields[`${side}_time`]));
  // An end of zero is how OTLP leaves it out.
  return nanos === 0n && side === "end" ? undefined : nanos;
}

function eventOf(fields: JsonFields): OtelEvent {
  const exact = integerOf(firstOf(fields["timeUnixNano"], fields["time_unix_nano"]));
  return {
    name: textOf(fields["name"]) ?? "",
    timeNanos: exact ?? nanosOf(firstOf(fields["time"], fields["timestamp"])) ?? 0n,
    attributes: attributesOf(fields["attributes"]),
  };
}

function linkOf(fields: JsonFields): OtelSpan["links"] {
  const own = fieldsAt(fields, "context", "spanContext") ?? fields;
  const traceId = identifierOf(firstOf(own["traceId"], own["trace_id"]), TRACE_ID_BYTES);
  const spanId = identifierOf(firstOf(own["spanId"], own["span_id"]), SPAN_ID_BYTES);
  return traceId === undefined || spanId === undefined ? [] : [{ traceId, spanId }];
}

/** Codes as numbers of OTLP and the SDKs, which agree, or as names. */
export function statusOf(value: unknown): OtelSpan["status"] {
  if (!isFields(value)) return { code: "unset" };
  const message = textOf(firstOf(value["message"], value["description"]));
  const given = firstOf(value["code"], value["status_code"]);
  const word = String(typeof given === "string" ? given : "").toLowerCase();
  const code =
    given === 2 || word.endsWith("error") ? "error" : given === 1 || word.endsWith("ok") ? "ok" : "unset";
  return { code, ...(message !== undefined && message !== "" && { message }) };
}

export function scopeOf(value: unknown, { scope }: Origin): OtelScope {
  if (!isFields(value)) return scope;
  const version = textOf(value["version"]);
  return { name: textOf(value["name"]) ?? "", ...(version !== undefined && version !== "" && { version }) };
}

function resourceOf(value: unknown, { resource }: Origin): Attributes {
  if (!isFields(value)) return resource;
  return attributesOf(firstOf(value["attributes"], value["_rawAttributes"], value["_attributes"]));
}
