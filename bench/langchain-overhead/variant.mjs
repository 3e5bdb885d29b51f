// One variant in a process of its own. Does a number of runs whenever it is told to, and says what they cost.
import { context, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { BasicTracerProvider } from "@opentelemetry/sdk-trace-base";
import { awaitAllCallbacks } from "@langchain/core/callbacks/promises";
import { splitVariant, variants } from "./variants.mjs";
import { newAgent, runOnce } from "./workload.mjs";

const { name, folder } = splitVariant(process.argv[2] ?? "none");

// Spans are counted and dropped, so that no exporter is measured.
let spans = 0;
const counter = {
  onStart() {},
  onEnd() {
    spans++;
  },
  forceFlush: async () => {},
  shutdown: async () => {},
};
const tracerProvider = new BasicTracerProvider({ spanProcessors: [counter] });
if (name !== "none") {
  trace.setGlobalTracerProvider(tracerProvider);
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
}
const { agent, callbacks = () => [] } = await variants[name](newAgent(), {
  tracerProvider,
  folder,
  count: () => spans++,
});

async function measure(runs) {
  spans = 0;
  const cpuBefore = process.cpuUsage();
  const began = performance.now();
  for (let i = 0; i < runs; i++) await runOnce(agent, i, callbacks());
  await awaitAllCallbacks();
  const wall = (performance.now() - began) * 1000;
  const cpu = process.cpuUsage(cpuBefore);
  globalThis.gc();
  return {
    cpu: (cpu.user + cpu.system) / runs,
    wall: wall / runs,
    spans: spans / runs,
    heapMb: process.memoryUsage().heapUsed / 1048576,
  };
}

process.on("message", (runs) => void measure(runs).then((result) => process.send(result)));
process.send("ready");
