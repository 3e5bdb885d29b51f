// What is attached to the agent: nothing, a handler that does nothing, ours, and four others.
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const managerModule = () => import("@langchain/core/callbacks/manager");

async function asv(agent, options) {
  const built = pathToFileURL(join(import.meta.dirname, "../../packages/adapter-langchain/dist/index.js"));
  const { withASVCapture } = await import(built);
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
  asv: (agent, { tracerProvider }) => asv(agent, { tracerProvider, file: false }),

  /** The file alone. */
  "asv-file": (agent) => asv(agent, { sinks: [], file: runsFile() }),

  /** File and spans, which is what a host with a tracer provider gets. */
  "asv-both": (agent, { tracerProvider }) => asv(agent, { tracerProvider, file: runsFile() }),

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
