// What is attached to the agent: nothing, a handler that does nothing, ours, and four others.
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const managerModule = () => import("@langchain/core/callbacks/manager");

/** Root folders of checkouts by variant: `asv@<folder>` is `asv` as it is built there. */
export function splitVariant(variant) {
  const [name, ...folder] = variant.split("@");
  return {
    name,
    folder: folder.length === 0 ? join(import.meta.dirname, "../..") : resolve(folder.join("@")),
  };
}

export function builtIn(folder) {
  return join(folder, "packages/adapter-langchain/dist/index.js");
}

async function asv(agent, folder, options) {
  const { withASVCapture } = await import(pathToFileURL(builtIn(folder)));
  return {
    agent: withASVCapture(agent, { task: { id: "bench", question: "What are agents?" }, ...options }),
  };
}

const runsFile = () => join(mkdtempSync(join(tmpdir(), "asv-bench-")), "runs.asv.jsonl");

/** By name: gives the agent to run, and the callbacks of each call. */
export const variants = {
  none: (agent) => ({ agent }),

  "noop-callback": async (agent) => {
    const { BaseCallbackHandler } = await import("@langchain/core/callbacks/base");
    class Noop extends BaseCallbackHandler {
      name = "noop";
      awaitHandlers = true;
      handleChainStart() {}
      handleChainEnd() {}
      handleChatModelStart() {}
      handleLLMEnd() {}
      handleToolStart() {}
      handleToolEnd() {}
    }
    const handler = new Noop();
    return { agent, callbacks: () => [handler] };
  },

  /** Spans through the provider, as the others do. */
  asv: (agent, { tracerProvider, folder }) => asv(agent, folder, { tracerProvider, file: false }),

  /** The file alone. */
  "asv-file": (agent, { folder }) => asv(agent, folder, { sinks: [], file: runsFile() }),

  /** File and spans, which is what a host with a tracer provider gets. */
  "asv-both": (agent, { tracerProvider, folder }) => asv(agent, folder, { tracerProvider, file: runsFile() }),

  openinference: async (agent, { tracerProvider }) => {
    const { LangChainInstrumentation } = await import("@arizeai/openinference-instrumentation-langchain");
    new LangChainInstrumentation({ tracerProvider }).manuallyInstrument(await managerModule());
    return { agent };
  },

  traceloop: async (agent, { tracerProvider }) => {
    const { LangChainInstrumentation } = await import("@traceloop/instrumentation-langchain");
    const instrumentation = new LangChainInstrumentation();
    instrumentation.setTracerProvider(tracerProvider);
    instrumentation.manuallyInstrument({ callbackManagerModule: await managerModule() });
    return { agent };
  },

  langfuse: async (agent) => {
    const { CallbackHandler } = await import("@langfuse/langchain");
    // Its documented use: one handler a request.
    return { agent, callbacks: () => [new CallbackHandler()] };
  },

  langsmith: async (agent, { count }) => {
    const { LangChainTracer } = await import("@langchain/core/tracers/tracer_langchain");
    const { Client } = await import("langsmith");
    const client = new Client({
      apiKey: "none",
      apiUrl: "http://127.0.0.1:9",
      autoBatchTracing: false,
      blockOnRootRunFinalization: false,
    });
    // No network: payloads are encoded, counted and dropped.
    client.createRun = async (run) => {
      JSON.stringify(run.inputs);
      count();
    };
    client.updateRun = async (_id, run) => void JSON.stringify(run.outputs ?? null);
    return { agent, callbacks: () => [new LangChainTracer({ client, projectName: "bench" })] };
  },
};
