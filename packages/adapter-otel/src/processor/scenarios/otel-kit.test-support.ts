import type { Context, Tracer, TracerProvider } from "@opentelemetry/api";
import type { ProcessedSpan } from "../index.ts";

/** A span processor as either line of the SDK takes it. */
export interface KitProcessor {
  onStart(span: ProcessedSpan, context: Context): void;
  onEnding?(span: ProcessedSpan): void;
  onEnd(span: ProcessedSpan): void;
  forceFlush(): Promise<void>;
  shutdown(): Promise<void>;
}

export interface KitExporter {
  export(spans: readonly ProcessedSpan[], done: (result: { code: number; error?: Error }) => void): void;
  forceFlush?(): Promise<void>;
  shutdown(): Promise<void>;
}

export interface KitSampler {
  shouldSample(
    context: Context,
    traceId: string,
    name: string,
    ...more: never[]
  ): { readonly decision: number; readonly attributes?: object };
  toString(): string;
}

export interface KitProvider extends TracerProvider {
  getTracer(name: string): Tracer;
  forceFlush(): Promise<void>;
  shutdown(): Promise<void>;
}

export interface KitProviderOptions {
  readonly processors: readonly KitProcessor[];
  readonly sampler?: KitSampler;
  readonly limits?: { readonly attributeValueLengthLimit?: number; readonly attributeCountLimit?: number };
}

/** One line of the OpenTelemetry SDK, so that the same scenarios run on all of them. */
export interface OtelKit {
  readonly line: string;
  /** Version of the API that this line's application has. */
  readonly apiVersion: string;
  /** Module that exports this kit as `kit`, for child processes. */
  readonly url: string;
  provider(options: KitProviderOptions): KitProvider;
  batch(exporter: KitExporter, options?: Record<string, number>): KitProcessor;
  simple(exporter: KitExporter): KitProcessor;
  otlpExporter(options: { url: string; timeoutMillis?: number }): KitExporter;
  alwaysOff(): KitSampler;
  parentBased(root: KitSampler): KitSampler;
  /** Registers through this line's own copy of the API; false where that copy refuses. */
  registerGlobally(provider: KitProvider): boolean;
}
