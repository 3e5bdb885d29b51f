import { createRequire } from "node:module";
import type {
  KitExporter,
  KitProcessor,
  KitProvider,
  KitSampler,
  OtelKit,
} from "../../packages/adapter-otel/src/processor/scenarios/otel-kit.test-support.ts";

type Constructor<T> = new (...parameters: object[]) => T;

/** What is used of `@opentelemetry/sdk-trace` 3.x; the workspace has the 2.x line and its types. */
interface SdkTrace {
  readonly TracerProvider: Constructor<KitProvider>;
  readonly BatchSpanProcessor: Constructor<KitProcessor>;
  readonly SimpleSpanProcessor: Constructor<KitProcessor>;
  readonly AlwaysOffSampler: Constructor<KitSampler>;
  readonly ParentBasedSampler: Constructor<KitSampler>;
}

// Installed in this folder by run.ts; not by import, as nothing else of the repository has them.
const load = createRequire(import.meta.url);
const sdk = load("@opentelemetry/sdk-trace") as SdkTrace;
const { OTLPTraceExporter } = load("@opentelemetry/exporter-trace-otlp-http") as {
  readonly OTLPTraceExporter: Constructor<KitExporter>;
};
const { trace } = load("@opentelemetry/api") as {
  readonly trace: { setGlobalTracerProvider(provider: object): boolean };
};

/** The SDK's 3.x line. */
export const kit: OtelKit = {
  line: "3.x",
  apiVersion: "1.10.0",
  url: import.meta.url,
  provider: ({ processors, sampler, limits }) =>
    new sdk.TracerProvider({
      spanProcessors: processors,
      ...(sampler && { sampler }),
      ...(limits && { spanLimits: limits }),
    }),
  batch: (exporter, options = {}) => new sdk.BatchSpanProcessor({ exporter, ...options }),
  simple: (exporter) => new sdk.SimpleSpanProcessor({ exporter }),
  otlpExporter: (options) => new OTLPTraceExporter(options),
  alwaysOff: () => new sdk.AlwaysOffSampler(),
  parentBased: (root) => new sdk.ParentBasedSampler({ root }),
  registerGlobally: (provider) => trace.setGlobalTracerProvider(provider),
};
