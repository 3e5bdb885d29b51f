import type { SpanPlace } from "./span-ids.ts";

/** Seconds and nanoseconds since 1970. */
export type SpanTime = [number, number];

/** Strings, whole numbers and truth values: what every SDK, encoding and backend agrees on. */
export type AsvAttributes = Record<string, string | number | boolean>;

/** A stored trajectory or step as a finished span, free of any SDK. */
export interface AsvSpan {
  readonly kind: "span";
  readonly place: SpanPlace;
  readonly parent?: SpanPlace;
  readonly name: string;
  readonly start: SpanTime;
  readonly end: SpanTime;
  readonly attributes: AsvAttributes;
  readonly links: readonly SpanPlace[];
  /** Set on a step or run that failed. */
  readonly error?: { readonly message?: string };
}

/** A state that does not ride on its span, as a log record. */
export interface AsvStateLog {
  readonly kind: "log";
  /** Of the first step that has the state. */
  readonly place: SpanPlace;
  readonly eventName: string;
  readonly time: SpanTime;
  readonly body: string;
  readonly attributes: AsvAttributes;
}

/** What a trajectory goes out as. */
export type AsvTelemetry = AsvSpan | AsvStateLog;
