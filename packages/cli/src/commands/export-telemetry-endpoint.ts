import { AsvError } from "@agent-step-value/sdk";
import { diag, DiagLogLevel } from "@opentelemetry/api";
import type { BatchTarget } from "./export-batches.ts";

/** What an endpoint took and what it did not. */
export interface Delivery {
  readonly delivered: { spans: number; logs: number };
  readonly lost: { spans: number; logs: number };
  /** Why records were lost, and how many, in the order of their first appearance. */
  readonly reasons: ReadonlyMap<string, number>;
  /** True where sending was given up because nothing went through any more. */
  readonly gaveUp: boolean;
}

export interface EndpointOptions {
  /** Base address of an OTLP HTTP receiver; `/v1/traces` and `/v1/logs` are added. */
  readonly endpoint: string;
  readonly timeoutMillis: number;
}

/** Batches that fail one after the other before sending is given up. */
const MOST_FAILURES = 3;

type Send<T> = (records: T[], done: (result: { code: number; error?: Error }) => void) => void;

/** An OTLP HTTP endpoint, reached by the official exporters. */
export interface TelemetryEndpoint extends BatchTarget {
  /** Address without anything that may be secret. */
  readonly shown: string;
  finish(): Promise<Delivery>;
}

/** Sending was given up; what is known is in the delivery. */
export class GaveUp extends Error {}

/**
 * Opens an endpoint. The exporters wait and try again where the server asks for it, and take headers, TLS
 * and compression from the `OTEL_EXPORTER_OTLP_*` environment; what they still cannot deliver is counted, and a
 * batch that is too large for the server is halved first.
 *
 * @throws {AsvError} `invalid_argument` for an address that is none
 */
export async function openEndpoint({ endpoint, timeoutMillis }: EndpointOptions): Promise<TelemetryEndpoint> {
  const base = baseAddress(endpoint);
  const { OTLPTraceExporter } = await import("@opentelemetry/exporter-trace-otlp-http");
  const { OTLPLogExporter } = await import("@opentelemetry/exporter-logs-otlp-http");
  const traces = new OTLPTraceExporter({ url: addressOf(base, "traces"), timeoutMillis });
  const logs = new OTLPLogExporter({ url: addressOf(base, "logs"), timeoutMillis });
  const counts = { delivered: { spans: 0, logs: 0 }, lost: { spans: 0, logs: 0 } };
  const reasons = new Map<string, number>();
  const partial = watchPartialSuccess();
  let failuresInARow = 0;
  let gaveUp = false;

  const lose = (signal: "spans" | "logs", count: number, reason: string): void => {
    counts.lost[signal] += count;
    reasons.set(reason, (reasons.get(reason) ?? 0) + count);
  };
  const deliver = async <T>(signal: "spans" | "logs", records: T[], send: Send<T>): Promise<void> => {
    partial.take();
    const error = await new Promise<Error | undefined>((resolve) => {
      send(records, ({ code, error: cause }) =>
        resolve(code === 0 ? undefined : (cause ?? new Error("the exporter gave no reason"))),
      );
    });
    if (error === undefined) {
      failuresInARow = 0;
      const { rejected, reason } = partial.take();
      const refused = Math.min(rejected, records.length);
      counts.delivered[signal] += records.length - refused;
      if (refused > 0) lose(signal, refused, `refused by the server: ${reason}`);
      return;
    }
    if (isTooLarge(error) && records.length > 1) {
      const half = records.length >> 1;
      await deliver(signal, records.slice(0, half), send);
      return deliver(signal, records.slice(half), send);
    }
    lose(signal, records.length, reasonOf(error));
    if (!isTooLarge(error) && ++failuresInARow >= MOST_FAILURES) {
      gaveUp = true;
      throw new GaveUp();
    }
  };
  return {
    shown: `${base.origin}${base.pathname}`,
    traces: (spans) => deliver("spans", spans, (records, done) => traces.export(records, done)),
    logs: (records) => deliver("logs", records, (batch, done) => logs.export(batch, done)),
    async finish() {
      partial.release();
      await Promise.allSettled([traces.shutdown(), logs.shutdown()]);
      return { ...counts, reasons, gaveUp };
    },
  };
}

function baseAddress(endpoint: string): URL {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    // Not shown: it may hold a key.
    throw new AsvError(
      "invalid_argument",
      "--endpoint must be an http or https address, for example http://localhost:4318.",
    );
  }
  url.pathname = url.pathname.replace(/\/v1\/(traces|logs)\/?$/, "").replace(/\/$/, "");
  return url;
}

function addressOf(base: URL, signal: "traces" | "logs"): string {
  const url = new URL(base);
  url.pathname = `${url.pathname.replace(/\/$/, "")}/v1/${signal}`;
  return url.href;
}

/** 413, or a 400 that says the same: Collectors answer either way. */
function isTooLarge(error: Error): boolean {
  const { code, data } = error as { code?: unknown; data?: unknown };
  return code === 413 || (code === 400 && /too large|body size|exceed/i.test(String(data)));
}

/** Status or system code only: a server's answer may repeat what was sent. */
function reasonOf(error: Error): string {
  const { code } = error as { code?: unknown };
  if (typeof code === "number") return `HTTP ${code}${isTooLarge(error) ? ", too large" : ""}`;
  return typeof code === "string" ? code : error.message;
}

/**
 * The official exporter counts a partial success as a success and only logs it. This reads the log.
 */
function watchPartialSuccess() {
  let seen = { rejected: 0, reason: "" };
  const ignore = (): void => undefined;
  diag.setLogger(
    {
      error: ignore,
      info: ignore,
      debug: ignore,
      verbose: ignore,
      warn: (message: string, ...rest: unknown[]) => {
        if (message.startsWith("Received Partial Success")) seen = readPartialSuccess(rest[0]);
      },
    },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
  return {
    /** What was seen since it was last asked. */
    take() {
      const taken = seen;
      seen = { rejected: 0, reason: "" };
      return taken;
    },
    release: () => diag.disable(),
  };
}

function readPartialSuccess(text: unknown): { rejected: number; reason: string } {
  try {
    const { rejectedSpans, rejectedLogRecords, errorMessage } = JSON.parse(String(text)) as Record<
      string,
      unknown
    >;
    const rejected = Number(rejectedSpans ?? rejectedLogRecords ?? 0);
    return {
      rejected: Number.isSafeInteger(rejected) && rejected > 0 ? rejected : 0,
      reason:
        typeof errorMessage === "string" && errorMessage !== ""
          ? errorMessage.slice(0, 200)
          : "no reason given",
    };
  } catch {
    return { rejected: 0, reason: "" };
  }
}
