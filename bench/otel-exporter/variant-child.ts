// One variant in a process of its own: <line of the SDK> <name>. Asked over IPC for so many runs at a time.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadRig, type Line } from "./rig.ts";
import { variants } from "./variants.ts";
import { STEPS_A_RUN } from "./workload.ts";

const [line = "2", name = ""] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "asv-bench-"));
const variant = variants[name]!(await loadRig(line as Line), join(folder, "a.jsonl"));
let number = 0;

process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
process.on("message", (runs: number) => void take(runs));
process.on("disconnect", () => process.exit(0));
process.send!({ ready: true });

/** Ten runs a turn, as a busy host would; then whatever was put off. */
async function take(runs: number): Promise<void> {
  const before = variant.arrived();
  globalThis.gc?.();
  const cpu = process.cpuUsage();
  for (let i = 0; i < runs; i++) {
    variant.run(number++);
    if (i % 10 === 9) await new Promise(setImmediate);
  }
  await variant.settle();
  const { user, system } = process.cpuUsage(cpu);
  process.send!({
    cpuMicros: (user + system) / (runs * STEPS_A_RUN),
    arrived: variant.arrived() - before,
  });
}
