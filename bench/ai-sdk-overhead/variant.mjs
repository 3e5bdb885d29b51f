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

const { sdk = ai, extra = {}, flush = async () => {} } = await variants[process.argv[2]](count);

async function measure(runs) {
  exported = 0;
  const cpuBefore = process.cpuUsage();
  const began = performance.now();
  for (let i = 0; i < runs; i++) await runOnce(sdk, i, extra);
  const wall = (performance.now() - began) * 1000;
  const cpu = process.cpuUsage(cpuBefore);
  await flush();
  return {
    cpu: (cpu.user + cpu.system) / runs,
    wall: wall / runs,
    exported: exported / runs,
  };
}

/** Only at the end: a full collection throws away compiled code, which would be paid for in the next round. */
function heapMb() {
  globalThis.gc();
  return process.memoryUsage().heapUsed / 1048576;
}

process.on("message", async (runs) => process.send(runs > 0 ? await measure(runs) : heapMb()));
process.send("ready");
