/** Seconds and nanoseconds since 1970. */
type Time = readonly [number, number];

/**
 * What the processor reads of a span. Structural: the spans of the SDK's 2.x and 3.x lines both have
 * this form, and neither is imported.
 */
export interface ProcessedSpan {
  readonly name: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  /** Seconds and nanoseconds since 1970. */
  readonly startTime: readonly [number, number];
  readonly endTime: readonly [number, number];
  readonly status: { readonly code: number; readonly message?: string };
  readonly parentSpanContext?: { readonly spanId: string };
  readonly instrumentationScope?: { readonly name: string };
  readonly droppedAttributesCount?: number;
  spanContext(): { readonly traceId: string; readonly spanId: string };
}

/** `SpanStatusCode.ERROR` of the API. */
export const STATUS_ERROR = 2;

/** Scope of spans that the SDK's own recorder wrote, whose contents it has redacted. */
const OWN_SCOPE = "@agent-step-value/sdk";

/** True for a span of the SDK's recorder; any other writer's contents are projected before they are kept. */
export function isOwnSpan(span: ProcessedSpan): boolean {
  return span.instrumentationScope?.name === OWN_SCOPE;
}

/** Milliseconds between two span times; undefined where the clock gave nonsense. */
export function elapsedMs(start: Time, end: Time): number | undefined {
  const ms = (end[0] - start[0]) * 1000 + (end[1] - start[1]) / 1e6;
  return ms >= 0 && ms < Infinity ? ms : undefined;
}

/** A span time as ISO text; undefined for one outside the calendar. */
export function isoTime([seconds, nanos]: Time): string | undefined {
  const date = new Date(seconds * 1000 + nanos / 1e6);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
