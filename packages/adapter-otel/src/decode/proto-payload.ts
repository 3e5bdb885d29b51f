import type { OtelSpan } from "../spans/otel-span.ts";
import type { DecodeContext } from "./decode-sink.ts";
import { identifierOf, SPAN_ID_BYTES, TRACE_ID_BYTES } from "./identifier.ts";
import type { Origin } from "./json-span.ts";
import { recordSignal } from "./proto-signal.ts";
import type { ProtoDecoders, ProtoGroup, ProtoScope, ProtoSpan } from "./proto-types.ts";
import { protoAttributes, protoValue, unsigned } from "./proto-value.ts";

/**
 * Reads the spans and log records of one protobuf message: an export request or a TracesData, LogsData or
 * MetricsData, which are the same bytes.
 *
 * @throws for bytes that are no such message
 */
export function readProtoPayload(bytes: Uint8Array, decoders: ProtoDecoders, context: DecodeContext): void {
  for (const group of decoders.batch(bytes).groups ?? []) readGroup(group, decoders, context);
}

function readGroup(group: ProtoGroup, decoders: ProtoDecoders, context: DecodeContext): void {
  const resource = protoAttributes(group.resource?.attributes);
  for (const scope of [...(group.scopes ?? []), ...(group.libraries ?? [])]) {
    const name = scope.scope?.name ?? "";
    const version = scope.scope?.version ?? "";
    readScope(scope, { resource, scope: { name, ...(version !== "" && { version }) } }, decoders, context);
  }
}

/** All records of a scope are of one signal, so the first one tells. */
function readScope(scope: ProtoScope, origin: Origin, decoders: ProtoDecoders, context: DecodeContext): void {
  const { sink } = context;
  let signal: "span" | "log" | "other" | undefined;
  for (const record of scope.records ?? []) {
    try {
      signal ??= recordSignal(decoders.reader(record));
      if (signal === "span") readSpan(decoders.span(record), origin, context);
      else if (signal === "log") readLog(record, origin, decoders, context);
      else sink.other();
    } catch (error) {
      sink.invalid(signal === "log" ? "log" : "span", reasonOf(error));
    }
  }
}

function readSpan(span: ProtoSpan, origin: Origin, { sink, place, nextOrder }: DecodeContext): void {
  const traceId = identifierOf(span.traceId, TRACE_ID_BYTES);
  const spanId = identifierOf(span.spanId, SPAN_ID_BYTES);
  if (traceId === undefined || spanId === undefined) {
    sink.invalid("span", `the ${traceId === undefined ? "trace" : "span"} id is missing`);
    return;
  }
  const parentSpanId = identifierOf(span.parentSpanId, SPAN_ID_BYTES);
  const endNanos = unsigned(span.endTimeUnixNano);
  sink.span({
    traceId,
    spanId,
    ...(parentSpanId !== undefined && { parentSpanId }),
    name: span.name,
    startNanos: unsigned(span.startTimeUnixNano),
    ...(endNanos !== 0n && { endNanos }),
    attributes: protoAttributes(span.attributes),
    events: (span.events ?? []).map(({ name, timeUnixNano, attributes }) => ({
      name,
      timeNanos: unsigned(timeUnixNano),
      attributes: protoAttributes(attributes),
    })),
    links: (span.links ?? []).flatMap(linkOf),
    status: statusOf(span.status),
    ...origin,
    order: nextOrder(),
    place,
  });
}

function linkOf(link: { readonly traceId: Uint8Array; readonly spanId: Uint8Array }): OtelSpan["links"] {
  const traceId = identifierOf(link.traceId, TRACE_ID_BYTES);
  const spanId = identifierOf(link.spanId, SPAN_ID_BYTES);
  return traceId === undefined || spanId === undefined ? [] : [{ traceId, spanId }];
}

function statusOf(status: ProtoSpan["status"]): OtelSpan["status"] {
  const code = status?.code === 2 ? "error" : status?.code === 1 ? "ok" : "unset";
  const message = status?.message ?? "";
  return { code, ...(message !== "" && { message }) };
}

function readLog(
  record: Uint8Array,
  origin: Origin,
  decoders: ProtoDecoders,
  { sink, place, nextOrder }: DecodeContext,
): void {
  const log = decoders.log(record);
  const traceId = identifierOf(log.traceId, TRACE_ID_BYTES);
  const spanId = identifierOf(log.spanId, SPAN_ID_BYTES);
  const attributes = protoAttributes(log.attributes);
  const older = attributes.get("event.name");
  const eventName = log.eventName !== "" ? log.eventName : typeof older === "string" ? older : "";
  sink.log({
    ...(traceId !== undefined && { traceId }),
    ...(spanId !== undefined && { spanId }),
    ...(eventName !== "" && { eventName }),
    timeNanos: unsigned(log.timeUnixNano) || unsigned(log.observedTimeUnixNano),
    body: log.body == null ? undefined : protoValue(log.body, 0),
    attributes,
    ...origin,
    order: nextOrder(),
    place,
  });
}

/** The library's own word; it names places, never content. */
function reasonOf(error: unknown): string {
  return `the record is no protobuf message of its kind (${error instanceof Error ? error.message : "error"})`;
}
