import { context, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { BasicTracerProvider, BatchSpanProcessor } from "@opentelemetry/sdk-trace-base";

/** A host's tracing, under way. */
export interface Tracing {
  /** Sends what is left. Resolves when all of it has been tried. */
  end(): Promise<void>;
}

/**
 * What a host that traces has anyway: the official SDK and the official exporter, registered globally. Only the
 * batch size is chosen with care: a span that carries two states may have 70 KB, and a Collector refuses
 * requests above 20 MiB whole.
 */
export function startTracing(endpoint: string): Tracing {
  const exporter = new OTLPTraceExporter({ url: `${endpoint}/v1/traces` });
  const provider = new BasicTracerProvider({
    spanProcessors: [new BatchSpanProcessor(exporter, { maxExportBatchSize: 64 })],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  trace.setGlobalTracerProvider(provider);
  return {
    // A process that ends without this loses what the batch processor still holds.
    end: () => provider.shutdown(),
  };
}
