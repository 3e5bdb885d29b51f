import type { RecordPlace } from "@agent-step-value/sdk";
import type { OtelLog, OtelSpan } from "../spans/otel-span.ts";

/** Takes what a message holds. */
export interface DecodeSink {
  span(span: OtelSpan): void;
  log(log: OtelLog): void;
  /** A span or log record that cannot be used; those beside it can. */
  invalid(what: "span" | "log", reason: string): void;
  /** A record of a signal that holds no spans and no states. */
  other(): void;
}

/** What every record of a message is decoded with. */
export interface DecodeContext {
  readonly place: RecordPlace;
  readonly sink: DecodeSink;
  /** Gives each record its place in the order of reading. */
  readonly nextOrder: () => number;
}
