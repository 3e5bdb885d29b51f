import { createRunningSum, fsum, quantile } from "../math/index.ts";
import type { EstimateRequest } from "./estimates.ts";
import { gainsOf, type GainUnits } from "./gain-columns.ts";
import { STEP, type StepTable } from "./step-columns.ts";
import { crossings, signCounts } from "./step-counts.ts";
import type { Estimate, StepTypeSummary } from "./summary.ts";

/** What is said of a set of steps, whatever it is called. */
type StepSetSummary = Omit<StepTypeSummary, "action" | "test">;

/** A set of steps: what to estimate of it, and its summary once that is estimated. */
interface StepSet {
  request: EstimateRequest;
  summary(estimate: Estimate): StepSetSummary;
}

/** Plans the summary of the given rows. */
export function planStepSet(
  table: StepTable,
  rows: Uint32Array,
  units: GainUnits,
  zeroTolerance: number,
): StepSet {
  return {
    request: { column: units.column(rows), values: gainsOf(table, rows) },
    summary: (estimate) => ({
      ...describe(table, rows, estimate),
      ...signCounts(table, rows, zeroTolerance),
      ...crossings(table, rows, units),
    }),
  };
}

function describe(table: StepTable, rows: Uint32Array, estimate: Estimate) {
  const gains = new Float64Array(estimate.steps);
  let filled = 0;
  for (const gain of gainsOf(table, rows)) gains[filled++] = gain;
  gains.sort();
  const surprise = createRunningSum();
  const onDamage = createRunningSum();
  let measured = 0;
  let damaged = 0;
  let floored = 0;
  for (const row of rows) {
    const bits = table.bits[row]!;
    if ((bits & STEP.measured) === 0) continue;
    measured++;
    surprise.add(table.surprise[row]!);
    if (bits & STEP.floored) floored++;
    if ((bits & STEP.damage) === 0) continue;
    damaged++;
    onDamage.add(table.surprise[row]!);
  }
  return {
    allSteps: rows.length,
    measured,
    ...estimate,
    ...(gains.length === 0 ? {} : { median: quantile(gains, 0.5), min: gains[0]!, max: gains.at(-1)! }),
    ...(gains.length < 2 ? {} : { standardDeviation: deviation(gains, estimate.mean!) }),
    ...(measured === 0 ? {} : { meanSurprise: surprise.total() / measured }),
    ...(damaged === 0 ? {} : { meanSurpriseOnDamage: onDamage.total() / damaged }),
    floored,
  };
}

/** Standard deviation with n − 1 in the divisor. */
function deviation(values: Float64Array, mean: number): number {
  return Math.sqrt(fsum(values.map((value) => (value - mean) ** 2)) / (values.length - 1));
}
