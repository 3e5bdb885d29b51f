import { JsonLogsSerializer, JsonTraceSerializer } from "@opentelemetry/otlp-transformer";
import { resourceFromAttributes } from "@opentelemetry/resources";
import type { AsvSpan, AsvStateLog, AsvTelemetry } from "./asv-span.ts";
import type { SpanPlace } from "./span-ids.ts";

const shared = {
  resource: resourceFromAttributes({}),
  instrumentationScope: { name: "@agent-step-value/test" },
  droppedAttributesCount: 0,
};
const contextOf = (place: SpanPlace) => ({ ...place, traceFlags: 1 });

/** OTLP JSON lines by the official serializers: one of spans, one of log records. */
export function otlpLines(items: Iterable<AsvTelemetry>): Buffer {
  const all = [...items];
  const spans = all.filter((item): item is AsvSpan => item.kind === "span");
  const logs = all.filter((item): item is AsvStateLog => item.kind === "log");
  const traceBytes = JsonTraceSerializer.serializeRequest(
    spans.map(({ place, parent, start, end, error, links, ...span }) => ({
      ...shared,
      ...span,
      kind: 0,
      spanContext: () => contextOf(place),
      ...(parent !== undefined && { parentSpanContext: contextOf(parent) }),
      startTime: start,
      endTime: end,
      duration: [0, 0] as [number, number],
      ended: true,
      status: { code: error === undefined ? 0 : 2, ...error },
      links: links.map((link) => ({ context: contextOf(link) })),
      events: [],
      droppedEventsCount: 0,
      droppedLinksCount: 0,
    })),
  );
  const logBytes = JsonLogsSerializer.serializeRequest(
    logs.map(({ place, time, eventName, body, attributes }) => ({
      ...shared,
      eventName,
      body,
      attributes,
      spanContext: contextOf(place),
      hrTime: time,
      hrTimeObserved: time,
    })),
  );
  return Buffer.concat([traceBytes!, Buffer.from("\n"), logBytes!, Buffer.from("\n")]);
}
