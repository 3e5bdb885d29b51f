import { trace } from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import {
  AlwaysOffSampler,
  BasicTracerProvider,
  BatchSpanProcessor,
  ParentBasedSampler,
  SimpleSpanProcessor,
  type Sampler,
  type SpanExporter,
  type SpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import type { KitExporter, KitProcessor, KitProvider, KitSampler, OtelKit } from "./otel-kit.test-support.ts";

/** The SDK's 2.x line, as the workspace has it. */
export const kit: OtelKit = {
  line: "2.x",
  apiVersion: "1.9.1",
  url: import.meta.url,
  provider: ({ processors, sampler, limits }) =>
    new BasicTracerProvider({
      spanProcessors: processors as SpanProcessor[],
      ...(sampler && { sampler: sampler as unknown as Sampler }),
      ...(limits && { spanLimits: limits }),
    }) as KitProvider,
  batch: (exporter, options = {}) =>
    new BatchSpanProcessor(exporter as unknown as SpanExporter, options) as KitProcessor,
  simple: (exporter) => new SimpleSpanProcessor(exporter as unknown as SpanExporter) as KitProcessor,
  otlpExporter: (options) => new OTLPTraceExporter(options) as unknown as KitExporter,
  alwaysOff: () => new AlwaysOffSampler() as unknown as KitSampler,
  parentBased: (root) =>
    new ParentBasedSampler({ root: root as unknown as Sampler }) as unknown as KitSampler,
  registerGlobally: (provider) => trace.setGlobalTracerProvider(provider),
};
