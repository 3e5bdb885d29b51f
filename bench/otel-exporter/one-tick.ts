import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readTrajectories } from "@agent-step-value/sdk";
import type { Rig } from "./rig.ts";
import { defaultBatch, variants } from "./variants.ts";
import { STEPS_A_RUN } from "./workload.ts";

const STEPS = 10_000;

/** How many of 10,000 steps that end in one tick arrive. */
export async function oneTick(rig: Rig): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "asv-bench-"));
  try {
    const rows = {
      "batch, default queue": defaultBatch,
      asvSpanProcessor: variants["asvSpanProcessor"]!,
      "recorder's file": variants["recorder's file, live states"]!,
    };
    for (const [name, make] of Object.entries(rows)) {
      const file = join(folder, `${name}.jsonl`);
      const variant = make(rig, file);
      for (let i = 0; i < STEPS / STEPS_A_RUN; i++) variant.run(i);
      await variant.settle();
      const inFile = name.startsWith("batch") ? "" : `, ${await stepsIn(file)} read back from the file`;
      console.log(`${name.padEnd(24)} ${STEPS - variant.arrived()} of ${STEPS} lost${inFile}`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function stepsIn(file: string): Promise<number> {
  let steps = 0;
  for await (const run of readTrajectories(file)) steps += run.steps.length;
  return steps;
}
