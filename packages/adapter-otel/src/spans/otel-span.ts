import type { RecordPlace } from "@agent-step-value/sdk";

/**
 * A value of OTLP's AnyValue. Whole numbers beyond 2^53 are bigint, so that no digit is lost; bytes are
 * bytes. Objects have no prototype: their keys come from foreign files.
 */
export type AttributeValue =
  | string
  | number
  | bigint
  | boolean
  | null
  | Uint8Array
  | readonly AttributeValue[]
  | { readonly [key: string]: AttributeValue };

export type Attributes = ReadonlyMap<string, AttributeValue>;

/** Something that happened within a span; GenAI messages of older conventions travel this way. */
export interface OtelEvent {
  readonly name: string;
  readonly timeNanos: bigint;
  readonly attributes: Attributes;
}

/** What a span and a log record were made by. */
export interface OtelScope {
  readonly name: string;
  readonly version?: string;
}

/** A finished span as any carrier had it: OTLP in all its framings, a Tempo export, a dump of ReadableSpans. */
export interface OtelSpan {
  /** Lower-case hex, or the source's own decimal spelling where its ids are integers. */
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  /** Nanoseconds since 1970; equal and reversed times occur, so they never decide alone. */
  readonly startNanos: bigint;
  /** Absent for a span whose end is not known. */
  readonly endNanos?: bigint;
  readonly attributes: Attributes;
  readonly events: readonly OtelEvent[];
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly status: { readonly code: "unset" | "ok" | "error"; readonly message?: string };
  readonly scope: OtelScope;
  readonly resource: Attributes;
  /** Place of the span in the order of reading. */
  readonly order: number;
  readonly place: RecordPlace;
}

/** A log record as a carrier had it; states and older GenAI messages travel this way. */
export interface OtelLog {
  readonly traceId?: string;
  readonly spanId?: string;
  /** `eventName`, or the attribute `event.name` of older emitters. */
  readonly eventName?: string;
  readonly timeNanos: bigint;
  readonly body: AttributeValue | undefined;
  readonly attributes: Attributes;
  readonly scope: OtelScope;
  readonly resource: Attributes;
  readonly order: number;
  readonly place: RecordPlace;
}
