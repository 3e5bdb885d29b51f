// 5,000 runs, every fifth aborted, of the bare agent and then of the captured one: what the heap gains, and
// what stays open. The tool takes a moment, so that runs can be aborted and the event loop can turn: without
// that LangGraph itself keeps a few KB a run. Only the difference tells about capture.
//   node --expose-gc leak.mjs [runs]
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { newAgent, runOnce } from "./workload.mjs";

const built = pathToFileURL(join(import.meta.dirname, "../../packages/adapter-langchain/dist/index.js"));
const { asvCallbackHandler } = await import(built);
const total = Number(process.argv[2] ?? 5000);

const sink = {
  name: "nowhere",
  open: () => ({ begin: () => ({ end: () => undefined }), close: () => undefined }),
};
const handler = asvCallbackHandler({ sinks: [sink] });
const bare = newAgent({ pauseMs: 2 });

function heapMb() {
  globalThis.gc();
  return process.memoryUsage().heapUsed / 1048576;
}

/** Runs ten at a time; gives the heap at the end of each tenth, the first two left out as warm-up. */
async function manyRuns(name, agent) {
  let aborted = 0;
  const heaps = [];
  for (let i = 0; i < total; i += 10) {
    const ten = Array.from({ length: 10 }, (_, k) => {
      const stop = new AbortController();
      if (k % 5 === 0) setTimeout(() => stop.abort(), 1);
      return runOnce(agent, i + k, [], { signal: stop.signal }).catch(() => aborted++);
    });
    await Promise.all(ten);
    if ((i + 10) % (total / 10) === 0) heaps.push(heapMb());
  }
  const kbPerRun = ((heaps.at(-1) - heaps[1]) * 1024) / (total * 0.8);
  console.log(
    `${name}: ${total} runs, ${aborted} aborted, heap ${heaps[1].toFixed(1)} -> ${heaps.at(-1).toFixed(1)} MB, ${kbPerRun.toFixed(2)} KB a run`,
  );
  return kbPerRun;
}

const without = await manyRuns("bare", bare);
const withCapture = await manyRuns("captured", bare.withConfig({ callbacks: [handler] }));
await new Promise((resolve) => setTimeout(resolve, 200));
const claims = globalThis[Symbol.for("agent-step-value.capture.claims")]?.size ?? 0;
const open = handler.open.runs + handler.open.trajectories + claims + handler.recorder.openTrajectories;
console.log(
  `capture keeps ${(withCapture - without).toFixed(2)} KB a run; open runs, trajectories and claims: ${open}`,
);
process.exit(open === 0 && withCapture - without < 1 ? 0 : 1);
