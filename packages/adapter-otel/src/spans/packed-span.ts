import type { Attributes, AttributeValue, OtelLog, OtelSpan } from "./otel-span.ts";
import { packValue, unpackValue, type PackedValue } from "./packed-value.ts";

type Absent = 0;
type PackedAttributes = readonly PackedValue[];

type PackedSpan = readonly [
  traceId: string,
  spanId: string,
  parentSpanId: string | Absent,
  name: string,
  start: string,
  end: string | Absent,
  attributes: PackedAttributes,
  events: readonly (readonly [name: string, time: string, attributes: PackedAttributes])[],
  links: readonly (readonly [traceId: string, spanId: string])[],
  status: OtelSpan["status"]["code"],
  message: string | Absent,
  scope: readonly [name: string, version: string | Absent],
  resource: PackedAttributes,
  order: number,
  place: readonly [source: string, line: number],
];

/** A span as one line of JSON, with the attributes that `keep` lets through. */
export function packSpan(span: OtelSpan, keep: (key: string) => boolean): string {
  const packed: PackedSpan = [
    span.traceId,
    span.spanId,
    span.parentSpanId ?? 0,
    span.name,
    span.startNanos.toString(),
    span.endNanos?.toString() ?? 0,
    packAttributes(span.attributes, keep),
    span.events.map((event) => [
      event.name,
      event.timeNanos.toString(),
      packAttributes(event.attributes, keep),
    ]),
    span.links.map(({ traceId, spanId }) => [traceId, spanId]),
    span.status.code,
    span.status.message ?? 0,
    [span.scope.name, span.scope.version ?? 0],
    packAttributes(span.resource, keep),
    span.order,
    [span.place.source, span.place.line],
  ];
  return JSON.stringify(packed);
}

export function unpackSpan(text: string): OtelSpan {
  const [
    traceId,
    spanId,
    parent,
    name,
    start,
    end,
    attributes,
    events,
    links,
    code,
    message,
    scope,
    resource,
    order,
    place,
  ] = JSON.parse(text) as PackedSpan;
  return {
    traceId,
    spanId,
    ...(parent !== 0 && { parentSpanId: parent }),
    name,
    startNanos: BigInt(start),
    ...(end !== 0 && { endNanos: BigInt(end) }),
    attributes: unpackAttributes(attributes),
    events: events.map(([event, time, held]) => ({
      name: event,
      timeNanos: BigInt(time),
      attributes: unpackAttributes(held),
    })),
    links: links.map(([linkedTrace, linkedSpan]) => ({ traceId: linkedTrace, spanId: linkedSpan })),
    status: { code, ...(message !== 0 && { message }) },
    scope: { name: scope[0], ...(scope[1] !== 0 && { version: scope[1] }) },
    resource: unpackAttributes(resource),
    order,
    place: { source: place[0], line: place[1] },
  };
}

type PackedLog = readonly [
  traceId: string,
  spanId: string | Absent,
  eventName: string | Absent,
  time: string,
  body: readonly [] | readonly [PackedValue],
  attributes: PackedAttributes,
  scope: readonly [name: string, version: string | Absent],
  resource: PackedAttributes,
  order: number,
  place: readonly [source: string, line: number],
];

/** A log record of a trace as one line of JSON. */
export function packLog(log: OtelLog & { readonly traceId: string }, keep: (key: string) => boolean): string {
  const packed: PackedLog = [
    log.traceId,
    log.spanId ?? 0,
    log.eventName ?? 0,
    log.timeNanos.toString(),
    log.body === undefined ? [] : [packValue(log.body)],
    packAttributes(log.attributes, keep),
    [log.scope.name, log.scope.version ?? 0],
    packAttributes(log.resource, keep),
    log.order,
    [log.place.source, log.place.line],
  ];
  return JSON.stringify(packed);
}

export function unpackLog(text: string): OtelLog & { readonly traceId: string } {
  const [traceId, spanId, eventName, time, body, attributes, scope, resource, order, place] = JSON.parse(
    text,
  ) as PackedLog;
  return {
    traceId,
    ...(spanId !== 0 && { spanId }),
    ...(eventName !== 0 && { eventName }),
    timeNanos: BigInt(time),
    body: body.length === 0 ? undefined : unpackValue(body[0]),
    attributes: unpackAttributes(attributes),
    scope: { name: scope[0], ...(scope[1] !== 0 && { version: scope[1] }) },
    resource: unpackAttributes(resource),
    order,
    place: { source: place[0], line: place[1] },
  };
}

function packAttributes(attributes: Attributes, keep: (key: string) => boolean): PackedValue[] {
  const packed: PackedValue[] = [];
  for (const [key, value] of attributes) if (keep(key)) packed.push(key, packValue(value));
  return packed;
}

function unpackAttributes(packed: PackedAttributes): Attributes {
  const attributes = new Map<string, AttributeValue>();
  for (let at = 0; at < packed.length; at += 2) {
    attributes.set(packed[at] as string, unpackValue(packed[at + 1]!));
  }
  return attributes;
}
