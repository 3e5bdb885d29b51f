import type { AsvSpan } from "@agent-step-value/adapter-otel";
import type { AsvAttributes, SpanPlace, SpanTime } from "@agent-step-value/adapter-otel";
import type { OTLPLogExporter } from "@opentelemetry/exporter-logs-otlp-http";
import type { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes, type Resource } from "@opentelemetry/resources";
import { version } from "../io.ts";

/** A span and a log record as the official exporters and serializers take them. */
export type ReadableSpan = Parameters<OTLPTraceExporter["export"]>[0][number];
export type ReadableLog = Parameters<OTLPLogExporter["export"]>[0][number];

/** A log record that goes out. */
export interface OutgoingLog {
  readonly place: SpanPlace;
  readonly eventName: string;
  /** 0 where it is not known. */
  readonly time: SpanTime;
  readonly body?: string;
  readonly attributes: AsvAttributes;
}

const SAMPLED = 1;
const INTERNAL_SPAN = 0;
const STATUS = { unset: 0, error: 2 };

/** Turns records into what the official SDK would hand to its exporter, all of one resource and scope. */
export class ReadableRecords {
  readonly #resource: Resource;
  readonly #scope = { name: "@agent-step-value/cli", version: version() };

  constructor(serviceName: string) {
    this.#resource = resourceFromAttributes({ "service.name": serviceName });
  }

  span(span: AsvSpan): ReadableSpan {
    const { place, parent, start, end, error, links } = span;
    return {
      name: span.name,
      kind: INTERNAL_SPAN,
      spanContext: () => contextOf(place),
      ...(parent !== undefined && { parentSpanContext: contextOf(parent) }),
      startTime: start,
      endTime: end,
      duration: [0, 0],
      ended: true,
      status:
        error === undefined
          ? { code: STATUS.unset }
          : { code: STATUS.error, ...(error.message !== undefined && { message: error.message }) },
      attributes: span.attributes,
      links: links.map((linked) => ({ context: contextOf(linked) })),
      events: [],
      resource: this.#resource,
      instrumentationScope: this.#scope,
      droppedAttributesCount: 0,
      droppedEventsCount: 0,
      droppedLinksCount: 0,
    };
  }

  log(log: OutgoingLog): ReadableLog {
    const { place, eventName, time, body, attributes } = log;
    return {
      hrTime: time,
      hrTimeObserved: time,
      spanContext: contextOf(place),
      eventName,
      ...(body !== undefined && { body }),
      attributes,
      resource: this.#resource,
      instrumentationScope: this.#scope,
      droppedAttributesCount: 0,
    };
  }
}

function contextOf({ traceId, spanId }: SpanPlace): { traceId: string; spanId: string; traceFlags: number } {
  return { traceId, spanId, traceFlags: SAMPLED };
}

/** Bytes of a record's JSON encoding, rounded up. */
export function recordBytes({ attributes, body }: { attributes: object; body?: unknown }): number {
  let bytes = 700 + textBytes(body);
  for (const [key, value] of Object.entries(attributes)) bytes += key.length + 64 + textBytes(value);
  return bytes;
}

function textBytes(value: unknown): number {
  return typeof value === "string" ? Buffer.byteLength(JSON.stringify(value)) : 24;
}
