import type { Attributes, AttributeValue } from "../spans/otel-span.ts";
import { plainValue } from "./attribute-value.ts";
import { NO_ATTRIBUTES } from "./attributes.ts";
import type { DecodeContext } from "./decode-sink.ts";
import { identifierOf, SPAN_ID_BYTES, TRACE_ID_BYTES } from "./identifier.ts";
import { integerOf, narrowed } from "./integer.ts";
import { fieldsAt, isFields, listAt, textOf, type JsonFields } from "./json-fields.ts";

/** The spans of one trace as Jaeger's UI exports it: parents in `references`, attributes in `tags`, microseconds. */
export function readJaegerTrace(trace: JsonFields, context: DecodeContext): void {
  const processes = fieldsAt(trace, "processes") ?? {};
  for (const item of listAt(trace, "spans")) {
    if (!isFields(item)) context.sink.invalid("span", "a span is no object");
    else readSpan(item, processes, context);
  }
}

function readSpan(fields: JsonFields, processes: JsonFields, context: DecodeContext): void {
  const { sink, place } = context;
  try {
    const traceId = identifierOf(fields["traceID"], TRACE_ID_BYTES);
    const spanId = identifierOf(fields["spanID"], SPAN_ID_BYTES);
    if (traceId === undefined || spanId === undefined) {
      sink.invalid("span", `the ${traceId === undefined ? "trace" : "span"} id is missing`);
      return;
    }
    const attributes = tagsOf(fields["tags"]);
    const references = listAt(fields, "references").filter(isFields);
    const parent = references.find(
      (reference) => reference["refType"] === "CHILD_OF" && !leadsAway(reference, traceId),
    );
    const parentSpanId = identifierOf(parent?.["spanID"] ?? fields["parentSpanID"], SPAN_ID_BYTES);
    const startNanos = (integerOf(fields["startTime"]) ?? 0n) * 1000n;
    const duration = integerOf(fields["duration"]);
    sink.span({
      traceId,
      spanId,
      ...(parentSpanId !== undefined && { parentSpanId }),
      name: textOf(fields["operationName"]) ?? "",
      startNanos,
      ...(duration !== undefined && { endNanos: startNanos + duration * 1000n }),
      attributes,
      events: listAt(fields, "logs").filter(isFields).map(eventOf),
      links: references.filter((reference) => reference !== parent).flatMap(linkOf),
      status: statusOf(attributes),
      scope: { name: nameOf(attributes, "otel.scope.name") ?? nameOf(attributes, "otel.library.name") ?? "" },
      resource: processOf(processes, fields["processID"]),
      order: context.nextOrder(),
      place,
    });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    sink.invalid("span", error.message);
  }
}

function leadsAway(reference: JsonFields, traceId: string): boolean {
  const other = identifierOf(reference["traceID"], TRACE_ID_BYTES);
  return other !== undefined && other !== traceId;
}

function linkOf(reference: JsonFields): { traceId: string; spanId: string }[] {
  const traceId = identifierOf(reference["traceID"], TRACE_ID_BYTES);
  const spanId = identifierOf(reference["spanID"], SPAN_ID_BYTES);
  return traceId === undefined || spanId === undefined ? [] : [{ traceId, spanId }];
}

function eventOf(fields: JsonFields): { name: string; timeNanos: bigint; attributes: Attributes } {
  const attributes = tagsOf(fields["fields"]);
  return {
    name: nameOf(attributes, "event") ?? "",
    timeNanos: (integerOf(fields["timestamp"]) ?? 0n) * 1000n,
    attributes,
  };
}

function tagsOf(tags: unknown): Attributes {
  if (!Array.isArray(tags)) return NO_ATTRIBUTES;
  const attributes = new Map<string, AttributeValue>();
  for (const tag of tags as unknown[]) {
    const key = isFields(tag) ? textOf(tag["key"]) : undefined;
    if (key !== undefined) attributes.set(key, tagValue(tag as JsonFields));
  }
  return attributes;
}

function tagValue({ type, value }: JsonFields): AttributeValue {
  const integer = type === "int64" ? integerOf(value) : undefined;
  return integer === undefined ? plainValue(value) : narrowed(integer);
}

function statusOf(attributes: Attributes) {
  const code = nameOf(attributes, "otel.status_code")?.toLowerCase();
  const message = nameOf(attributes, "otel.status_description");
  const failed = code === "error" || attributes.get("error") === true;
  return {
    code: failed ? ("error" as const) : code === "ok" ? ("ok" as const) : ("unset" as const),
    ...(message !== undefined && { message }),
  };
}

function processOf(processes: JsonFields, id: unknown): Attributes {
  if (typeof id !== "string" || !Object.hasOwn(processes, id)) return NO_ATTRIBUTES;
  const process = processes[id];
  if (!isFields(process)) return NO_ATTRIBUTES;
  const service = textOf(process["serviceName"]);
  const tags = new Map(tagsOf(process["tags"]));
  if (service !== undefined) tags.set("service.name", service);
  return tags;
}

function nameOf(attributes: Attributes, key: string): string | undefined {
  const value = attributes.get(key);
  return typeof value === "string" && value !== "" ? value : undefined;
}
