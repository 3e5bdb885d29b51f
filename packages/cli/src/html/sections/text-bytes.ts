import type { CollectedRuns } from "../collect/collect-runs.ts";
import { roundedNumbers, unroundedNumbers } from "../markup/number.ts";
import type { RunContext } from "./run-context.ts";
import { runBlock } from "./runs.ts";
import { stepTableSection } from "./step-table.ts";

/** Bytes a report aims to stay below; what is cut is counted in notes that need room of their own. */
const ALL_BYTES = 4_600_000;
/** Runs that are written without texts to see what their markup takes. */
const PROBED_RUNS = 8;
/** One block of a state is still begun. */
const LEAST = 200;
const MOST = 6000;

/** How much is written of every step. */
type Detail = Pick<RunContext, "textBytes" | "numbers">;

/**
 * Bytes of state text a step may take: a small report shows more of each state, and a large one stays below
 * 5 MB. A run's first state counts as a step; a rationale takes half as much again. Where numbers of many channels
 * leave too little for texts, the cards of steps leave the unrounded ones to the table of steps.
 *
 * @param taken bytes of everything before the runs
 */
export function stepDetail(
  runs: CollectedRuns,
  context: Omit<RunContext, keyof Detail>,
  size: { taken: number; rationales: boolean },
): Detail {
  const whole = textBytesOf(runs, { ...context, numbers: unroundedNumbers }, size);
  if (whole >= LEAST) return { textBytes: Math.min(MOST, whole), numbers: unroundedNumbers };
  const rounded = textBytesOf(runs, { ...context, numbers: roundedNumbers }, size);
  return { textBytes: Math.min(MOST, Math.max(LEAST, rounded)), numbers: roundedNumbers };
}

function textBytesOf(
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
  return Math.round((ALL_BYTES - taken - all) / Math.max(1, texts));
}

function bytesOf(part: { toString(): string }): number {
  return Buffer.byteLength(part.toString());
}
