import type { OtelLog, OtelSpan } from "../spans/otel-span.ts";
import { decodeMessage, type Undecoded } from "./decode-message.ts";

export interface Decoded {
  spans: OtelSpan[];
  logs: OtelLog[];
  invalid: string[];
  other: number;
  failure: Undecoded | undefined;
}

/** All that one message holds. */
export async function decode(
  content: string | Uint8Array,
  encoding: "json" | "proto" = "json",
): Promise<Decoded> {
  const found: Decoded = { spans: [], logs: [], invalid: [], other: 0, failure: undefined };
  let order = 0;
  const sink = {
    span: (span: OtelSpan) => void found.spans.push(span),
    log: (log: OtelLog) => void found.logs.push(log),
    invalid: (what: string, reason: string) => void found.invalid.push(`${what}: ${reason}`),
    other: () => void found.other++,
  };
  const bytes = Buffer.from(content);
  const message = { bytes, encoding, number: 1, offset: 0, within: "file" as const, whole: true };
  const place = { source: "test", line: 1 };
  found.failure = await decodeMessage(message, { place, sink, nextOrder: () => order++ });
  return found;
}
