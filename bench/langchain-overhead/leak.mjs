// 5,000 runs of one captured agent, every fifth aborted: the heap must stay flat and nothing stay open.
//   node --expose-gc leak.mjs [runs]
import { pathToFileURL } from "node:url";
import { join } from "node:path";
import { newAgent, runOnce } from "./workload.mjs";

const built = pathToFileURL(join(import.meta.dirname, "../../packages/adapter-langchain/dist/index.js"));
const { asvCallbackHandler } = await import(built);
const total = Number(process.argv[2] ?? 5000);
const every = Math.max(1, Math.floor(total / 10));

const sink = {
  name: "nowhere",
  open: () => ({ begin: () => ({ end: () => undefined }), close: () => undefined }),
};
const handler = asvCallbackHandler({ sinks: [sink] });
const agent = newAgent().withConfig({ callbacks: [handler] });
const heap = () => {
  globalThis.gc();
  return process.memoryUsage().heapUsed / 1048576;
};

let aborted = 0;
const heaps = [];
for (let i = 0; i < total; i++) {
  const stop = new AbortController();
  if (i % 5 === 0) setTimeout(() => stop.abort(), Math.random() * 4);
  await runOnce(agent, i, [], { signal: stop.signal }).catch(() => aborted++);
  if ((i + 1) % every === 0) {
    heaps.push(heap());
    console.log(
      `${i + 1} runs, ${aborted} aborted, heap ${heaps.at(-1).toFixed(1)} MB, open ${JSON.stringify(handler.open)}`,
    );
  }
}
await new Promise((resolve) => setTimeout(resolve, 200));
const claims = globalThis[Symbol.for("agent-step-value.capture.claims")]?.size ?? 0;
const growth = heaps.at(-1) - heaps[1];
console.log(
  `open ${JSON.stringify(handler.open)}, claims ${claims}, recorder ${handler.recorder.openTrajectories}; heap ${growth >= 0 ? "+" : ""}${growth.toFixed(1)} MB since the second mark`,
);
process.exit(handler.open.runs + claims + handler.recorder.openTrajectories === 0 ? 0 : 1);
