import type { CollectedRuns } from "../collect/collect-runs.ts";
import type { RunContext } from "./run-context.ts";
import { runBlock } from "./runs.ts";
import { stepTableSection } from "./step-table.ts";

/** Bytes a report aims to stay below; what is cut is counted in notes that need room of their own. */
const ALL_BYTES = 4_600_000;
/** Runs that are written without texts to see what their markup takes. */
const PROBED_RUNS = 8;
const LEAST = 300;
const MOST = 6000;

/**
 * Bytes of state text a step may take: a small report shows more of each state, and a large one stays below
 * 5 MB. A run's first state counts as a step; a rationale takes half as much again.
 *
 * @param taken bytes of everything before the runs
 * @param context without its `textBytes`
 */
export function textBytesOf(
  runs: CollectedRuns,
  context: Omit<RunContext, "textBytes">,
  { taken, rationales }: { taken: number; rationales: boolean },
): number {
  const { shown } = runs;
  const steps = shown.reduce((sum, run) => sum + run.steps.length, 0);
  const every = Math.max(1, Math.floor(shown.length / PROBED_RUNS));
  const probed = shown.filter((_, i) => i % every === 0);
  const probedSteps = probed.reduce((sum, run) => sum + run.steps.length, 0);
  const bare: RunContext = { ...context, textBytes: 0 };
  let markup = 0;
  for (const run of probed) markup += bytesOf(runBlock(run, bare));
  for (const row of stepTableSection({ ...runs, shown: probed }, bare)) markup += bytesOf(row);
  const all = markup * (steps / Math.max(1, probedSteps));
  const texts = (steps + shown.length) * (rationales ? 1.5 : 1);
  const left = (ALL_BYTES - taken - all) / Math.max(1, texts);
  return Math.round(Math.min(MOST, Math.max(LEAST, left)));
}

function bytesOf(part: { toString(): string }): number {
  return Buffer.byteLength(part.toString());
}
