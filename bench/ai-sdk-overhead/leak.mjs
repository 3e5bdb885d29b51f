// 1,000 runs, a fifth of them streams that their reader leaves, after as many to warm up: what the heap gains with
// capture and without, and what stays open.
//   node --expose-gc leak.mjs [runs]        AI_MAJOR=7|6|5
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ai, runOnce } from "./workload.mjs";

const total = Number(process.argv[2] ?? 1000);
const built = pathToFileURL(join(import.meta.dirname, "../../packages/adapter-ai-sdk/dist/index.js"));
const { asvFlush, withASVCapture } = await import(built);

const open = new Set();
const sink = {
  name: "nowhere",
  open({ record }) {
    open.add(record.trajectoryId);
    return { begin: () => ({ end: () => undefined }), close: () => open.delete(record.trajectoryId) };
  },
};
const captured = withASVCapture(ai, { sinks: [sink] });

function heapMb() {
  globalThis.gc();
  return process.memoryUsage().heapUsed / 1048576;
}

async function runs(sdk, count) {
  for (let i = 0; i < count; i++) {
    const left = i % 5 === 0 ? { leave: true } : {};
    await runOnce(sdk, i, {}, left);
  }
  // A stream that was left is let go of a moment later.
  await new Promise((resolve) => setTimeout(resolve, 50));
}

async function gain(name, sdk) {
  await runs(sdk, total);
  const before = heapMb();
  await runs(sdk, total);
  const after = heapMb();
  console.log(
    `${name}: ${total} runs, heap ${before.toFixed(2)} -> ${after.toFixed(2)} MB, ${(after - before).toFixed(2)} MB gained`,
  );
  return after - before;
}

const bare = await gain("bare", ai);
const own = await gain("captured", captured);
const { written, dropped } = await asvFlush(captured);
console.log(
  `retained heap over ${total} runs | bar <= 5 MB | ${(own - bare).toFixed(2)} MB | open trajectories ${open.size}, steps ${written}, dropped ${dropped}`,
);
process.exit(open.size === 0 && own - bare <= 5 ? 0 : 1);
