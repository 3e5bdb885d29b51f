// 100,000 steps while the exporter beside ours never answers: <line of the SDK> <with ours: yes or no>
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { asvSpanProcessor } from "@agent-step-value/adapter-otel";
import { loadRig, type Line } from "./rig.ts";
import { spansOfRun, STEPS_A_RUN } from "./workload.ts";

const STEPS = 100_000;
const [line = "2", withOurs = "yes"] = process.argv.slice(2);
const { kit } = await loadRig(line as Line);
const folder = mkdtempSync(join(tmpdir(), "asv-bench-"));
const ours = asvSpanProcessor({ file: join(folder, "a.jsonl") });
const hanging = kit.batch({ export: () => undefined, shutdown: () => new Promise(() => undefined) });
const provider = kit.provider({ processors: withOurs === "yes" ? [ours, hanging] : [hanging] });
const tracer = provider.getTracer("@agent-step-value/sdk");

const megabytes = (): { rss: number; heap: number } => {
  globalThis.gc!();
  const { rss, heapUsed } = process.memoryUsage();
  return { rss: rss / 2 ** 20, heap: heapUsed / 2 ** 20 };
};
let number = 0;
const some = async (steps: number): Promise<void> => {
  for (let i = 0; i < steps / STEPS_A_RUN; i++) {
    spansOfRun(tracer, number++, "chained");
    if (i % 10 === 9) await new Promise(setImmediate);
  }
};
// The engine's own warming up, and a full queue, are no growth.
await some(STEPS / 10);
const before = megabytes();
let highest = before.rss;
for (let i = 0; i < 10; i++) {
  await some(STEPS / 10);
  highest = Math.max(highest, megabytes().rss);
}
console.log(
  JSON.stringify({
    steps: STEPS,
    written: ours.report().written,
    rssMb: Math.round(before.rss),
    grownMb: Math.round(megabytes().rss - before.rss),
    highestGrowthMb: Math.round(highest - before.rss),
    heapGrownMb: Math.round((megabytes().heap - before.heap) * 10) / 10,
  }),
);
rmSync(folder, { recursive: true, force: true });
process.exit(0);
