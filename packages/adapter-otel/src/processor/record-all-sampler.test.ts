import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT_CONTEXT, SpanKind, TraceFlags } from "@opentelemetry/api";
import { AlwaysOffSampler, BasicTracerProvider, type Sampler } from "@opentelemetry/sdk-trace-base";
import { describe, expect, it } from "vitest";
import { asvRecordAll, asvSpanProcessor } from "./index.ts";

const ask = (sampler: Sampler, name: string) =>
  sampler.shouldSample(ROOT_CONTEXT, "0".repeat(31) + "1", name, SpanKind.INTERNAL, { a: 1 }, []);

/** A sampler that always gives the same frozen answer. */
const answering = (decision: number): Sampler => {
  const answer = Object.freeze({ decision, attributes: { kept: "yes" } });
  return { shouldSample: () => answer, toString: () => "Answering" };
};

describe("asvRecordAll", () => {
  it.each([
    ["asv.step", 0, 1],
    ["asv.trajectory", 0, 1],
    ["asv.step", 1, 1],
    ["asv.step", 2, 2],
    ["chat model", 0, 0],
    ["asv.other", 0, 0],
    ["chat model", 2, 2],
  ])("%s, of which a sampler says %i: %i", (name, decision, expected) => {
    expect(ask(asvRecordAll(answering(decision)), name)).toEqual({
      decision: expected,
      attributes: { kept: "yes" },
    });
  });

  it("asks the sampler what it was asked itself, says what it wraps, and throws what that throws", () => {
    const seen: unknown[][] = [];
    const wrapped = asvRecordAll<unknown[], { decision: number }>({
      shouldSample(...given) {
        seen.push(given);
        throw new RangeError("the host's own");
      },
      toString: () => "Own",
    });
    expect(() => wrapped.shouldSample(1, 2, "asv.step", 4)).toThrow(RangeError);
    expect(seen).toEqual([[1, 2, "asv.step", 4]]);
    expect(String(wrapped)).toBe("AsvRecordAll{Own}");
  });

  it("and the processor fit the SDK's own types; what is recorded so stays unsampled", async () => {
    const folder = mkdtempSync(join(tmpdir(), "asv-sampler-"));
    try {
      const processor = asvSpanProcessor({ file: join(folder, "a.jsonl") });
      const provider = new BasicTracerProvider({
        spanProcessors: [processor],
        sampler: asvRecordAll(new AlwaysOffSampler()),
      });
      const attributes = { "asv.trajectory.id": "t", "asv.step.index": 0 };
      const span = provider.getTracer("another").startSpan("asv.step", { attributes });
      expect(span.isRecording()).toBe(true);
      expect(span.spanContext().traceFlags).toBe(TraceFlags.NONE);
      span.end();
      expect((await processor.shutdown()).written).toBe(1);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
