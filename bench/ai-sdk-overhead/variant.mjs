// One variant in a process of its own. Does a number of runs whenever it is told to, and says what they cost.
import { ai, runOnce } from "./workload.mjs";
import { variants } from "./variants.mjs";

let exported = 0;
const count = (more) => void (exported += more);

// Nothing may leave the machine.
globalThis.fetch = async (_, init) => {
  const body = init?.body;
  if (body && typeof body !== "string" && body.byteLength === undefined) await new Response(body).text();
  count(1);
  return new Response("{}", { status: 200, headers: { "content-type": "application/json" } });
};

const nothing = async () => {};
const { sdk = ai, extra = {}, flush = nothing, drain = nothing } = await variants[process.argv[2]](count);

async function measure(runs) {
  const cpuBefore = process.cpuUsage();
  const began = performance.now();
  for (let i = 0; i < runs; i++) await runOnce(sdk, i, extra);
  const wall = (performance.now() - began) * 1000;
  await flush();
  const cpu = process.cpuUsage(cpuBefore);
  await drain();
  return { cpu: (cpu.user + cpu.system) / runs, wall: wall / runs };
}

/** Only at the end: a full collection throws away compiled code, which would be paid for in the next round. */
function total() {
  globalThis.gc();
  return { heapMb: process.memoryUsage().heapUsed / 1048576, exported };
}

process.on("message", async (runs) => process.send(runs > 0 ? await measure(runs) : total()));
process.send("ready");
