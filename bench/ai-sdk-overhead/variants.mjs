// What is attached to the SDK: nothing, an integration that does nothing, its own telemetry, ours, and others.
// Nothing leaves the machine: spans are batched, counted and dropped, clients of vendors talk to a stubbed fetch.
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { context, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { JsonTraceSerializer } from "@opentelemetry/otlp-transformer";
import { BasicTracerProvider, BatchSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { ai, setting } from "./workload.mjs";

const { major } = setting;
const writesJson = process.env.EXPORT === "json";

/** AI SDK 5 and 6 make spans of their own where a call asks for them. */
const coreSpans = major < 7 ? { experimental_telemetry: { isEnabled: true } } : {};

function provide(spanProcessors) {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  const provider = new BasicTracerProvider({ spanProcessors });
  trace.setGlobalTracerProvider(provider);
  return provider;
}

/** Spans end here: counted, and written as OTLP JSON where EXPORT=json, which is what an exporter sends. */
function exporter(count) {
  return {
    export(spans, done) {
      count(spans.length);
      if (writesJson) JsonTraceSerializer.serializeRequest(spans);
      done({ code: 0 });
    },
    forceFlush: async () => {},
    shutdown: async () => {},
  };
}

/** As a host sets it up; nothing is dropped. */
function batches(count) {
  const options = { maxQueueSize: 1e6, maxExportBatchSize: 512, scheduledDelayMillis: 200 };
  return new BatchSpanProcessor(exporter(count), options);
}

async function asv(options) {
  const built = pathToFileURL(join(import.meta.dirname, "../../packages/adapter-ai-sdk/dist/index.js"));
  const { withASVCapture, asvFlush } = await import(built);
  const task = { id: "bench", question: "What are agents?" };
  const flush = async () => {
    await options.tracerProvider?.forceFlush();
    const { dropped, errors } = await asvFlush();
    if (dropped + errors.length > 0) throw new Error("capture lost something");
  };
  return { sdk: withASVCapture(ai, { task, ...options }), flush };
}

const runsFile = () => join(mkdtempSync(join(tmpdir(), "asv-bench-")), "runs.asv.jsonl");

/** By name: gives the SDK to run, what each call has besides, and what a round ends with: what it flushes is paid for. */
export const variants = {
  base: async () => ({}),

  /** The floor of the SDK's own dispatch. */
  empty: async () => {
    const hooks = ["onStart", "onStepStart", "onStepEnd", "onStepFinish", "onEnd", "onFinish"];
    const integration = Object.fromEntries(hooks.map((name) => [name, () => {}]));
    (ai.registerTelemetry ?? ai.registerTelemetryIntegration)(integration);
    return {};
  },

  /** AI SDK 7: `OpenTelemetry` of @ai-sdk/otel. 5 and 6: the spans of the core. */
  otel: async (count) => {
    const provider = provide([batches(count)]);
    if (major === 7) ai.registerTelemetry(new (await import("@ai-sdk/otel")).OpenTelemetry());
    return { extra: coreSpans, flush: () => provider.forceFlush() };
  },

  "otel-legacy": async (count) => {
    const provider = provide([batches(count)]);
    ai.registerTelemetry(new (await import("@ai-sdk/otel")).LegacyOpenTelemetry());
    return { flush: () => provider.forceFlush() };
  },

  /** Spans through the provider, as the others do. */
  asv: (count) => asv({ tracerProvider: provide([batches(count)]), file: false }),

  /** The file alone. */
  "asv-file": () => asv({ sinks: [], file: runsFile() }),

  /** File and spans, which is what a host with a tracer provider gets. */
  "asv-both": (count) => asv({ tracerProvider: provide([batches(count)]), file: runsFile() }),

  langfuse: async (count) => {
    const { LangfuseSpanProcessor } = await import("@langfuse/otel");
    const provider = provide([
      new LangfuseSpanProcessor({
        publicKey: "pk",
        secretKey: "sk",
        baseUrl: "http://127.0.0.1:9",
        exporter: exporter(count),
        flushInterval: 1,
        flushAt: 512,
      }),
    ]);
    if (major === 7) {
      const { LangfuseVercelAiSdkIntegration } = await import("@langfuse/vercel-ai-sdk");
      ai.registerTelemetry(new LangfuseVercelAiSdkIntegration());
    }
    return { extra: coreSpans, flush: () => provider.forceFlush() };
  },

  openinference: async (count) => {
    const { OpenInferenceBatchSpanProcessor } = await import("@arizeai/openinference-vercel");
    const config = { maxQueueSize: 1e6, scheduledDelayMillis: 200 };
    const provider = provide([new OpenInferenceBatchSpanProcessor({ exporter: exporter(count), config })]);
    const { OpenTelemetry } = await import("@ai-sdk/otel");
    const all = { usage: true, providerMetadata: true, runtimeContext: true, headers: true };
    ai.registerTelemetry(new OpenTelemetry({ ...all, toolChoice: true, schema: true }));
    return { flush: () => provider.forceFlush() };
  },

  traceloop: async (count) => {
    const { createSpanProcessor } = await import("@traceloop/node-server-sdk");
    const provider = provide([
      createSpanProcessor({ exporter: exporter(count), disableBatch: false, apiKey: "x" }),
    ]);
    if (major === 7) ai.registerTelemetry(new (await import("@ai-sdk/otel")).LegacyOpenTelemetry());
    return { extra: coreSpans, flush: () => provider.forceFlush() };
  },

  langsmith: async () => {
    process.env.LANGSMITH_TRACING = "true";
    process.env.LANGSMITH_API_KEY = "x";
    process.env.LANGSMITH_ENDPOINT = "http://127.0.0.1:9";
    const { wrapAISDK } = await import("langsmith/experimental/vercel");
    const { Client } = await import("langsmith");
    const client = new Client({ apiKey: "x", apiUrl: "http://127.0.0.1:9" });
    const flush = () =>
      Promise.race([client.awaitPendingTraceBatches?.(), new Promise((done) => setTimeout(done, 3000))]);
    return { sdk: wrapAISDK(ai, { client }), flush };
  },

  braintrust: async (count) => {
    const braintrust = await import("braintrust");
    braintrust.setFetch?.(globalThis.fetch);
    const inside = braintrust._exportsForTestingOnly;
    await inside.simulateLoginForTests();
    const log = inside.useTestBackgroundLogger();
    braintrust.initLogger({ projectName: "p", projectId: "p" });
    // Its log is kept in memory by this test double; emptying it is not charged to it.
    const drain = async () => {
      await new Promise((done) => setTimeout(done, 50));
      count((await log.drain()).length);
    };
    return { sdk: braintrust.wrapAISDK(ai), drain };
  },

  raindrop: async () => {
    const { createRaindropAISDK } = await import("@raindrop-ai/ai-sdk");
    const client = createRaindropAISDK({ writeKey: "x", endpoint: "http://127.0.0.1:9/v1/" });
    const flush = () => Promise.race([client.flush(), new Promise((done) => setTimeout(done, 3000))]);
    return { sdk: client.wrap(ai, { context: { userId: "u" } }), flush };
  },
};

const ONLY_7 = ["otel-legacy", "openinference"];
const NOT_5 = ["empty"];

/** Names of the variants that the major has. */
export function variantNames() {
  return Object.keys(variants).filter(
    (name) => (major === 7 || !ONLY_7.includes(name)) && (major !== 5 || !NOT_5.includes(name)),
  );
}

/** Names of what is not ours. */
export const peers = [
  "otel",
  "otel-legacy",
  "langfuse",
  "openinference",
  "traceloop",
  "langsmith",
  "braintrust",
  "raindrop",
];
