import { createRunningSum, fsum, quantile } from "../math/index.ts";
import type { AdjustedTest } from "./adjusted-tests.ts";
import type { EstimateRequest } from "./estimates.ts";
import { gainsOf, type GainUnits } from "./gain-columns.ts";
import { rowsByNumber } from "./rows-by-number.ts";
import { STEP, type StepTable } from "./step-columns.ts";
import { crossings, signCounts } from "./step-counts.ts";
import type { Estimate, StepTypeSummary } from "./summary.ts";

/** Step types of a table: what to estimate of each, and the summaries once it is estimated. */
export interface StepTypes {
  requests: EstimateRequest[];
  summaries(
    estimates: readonly Estimate[],
    tests: readonly (AdjustedTest | undefined)[],
    zeroTolerance: number,
  ): StepTypeSummary[];
}

/**
 * Groups steps by `action.type`.
 *
 * @param names of the action numbers in the table
 */
export function groupStepTypes(table: StepTable, names: readonly string[], units: GainUnits): StepTypes {
  const types = rowsByNumber(table.action, table.length, names.length);
  return {
    requests: types.map((rows) => ({ column: units.column(rows), values: gainsOf(table, rows) })),
    summaries: (estimates, tests, zeroTolerance) =>
      types
        .map((rows, i) => ({
          ...summarizeType(table, names[i]!, rows, estimates[i]!, zeroTolerance),
          ...(tests[i] === undefined ? {} : { test: tests[i] }),
        }))
        .sort(byMean),
  };
}

function summarizeType(
  table: StepTable,
  action: string,
  rows: Uint32Array,
  estimate: Estimate,
  zeroTolerance: number,
): StepTypeSummary {
  const gains = new Float64Array(estimate.steps);
  let filled = 0;
  for (const gain of gainsOf(table, rows)) gains[filled++] = gain;
  gains.sort();
  const surprise = createRunningSum();
  let measured = 0;
  for (const row of rows) {
    if ((table.bits[row]! & STEP.measured) === 0) continue;
    measured++;
    surprise.add(table.surprise[row]!);
  }
  return {
    action,
    allSteps: rows.length,
    measured,
    ...estimate,
    ...(gains.length === 0 ? {} : { median: quantile(gains, 0.5), min: gains[0]!, max: gains.at(-1)! }),
    ...(gains.length < 2 ? {} : { standardDeviation: deviation(gains, estimate.mean!) }),
    ...(measured === 0 ? {} : { meanSurprise: surprise.total() / measured }),
    ...signCounts(table, rows, zeroTolerance),
    ...crossings(table, rows),
  };
}

/** Standard deviation with n − 1 in the divisor. */
function deviation(values: Float64Array, mean: number): number {
  return Math.sqrt(fsum(values.map((value) => (value - mean) ** 2)) / (values.length - 1));
}

/** Most negative mean first, as the paper's Figure 2 reads; types without a gain last, by name. */
function byMean(a: StepTypeSummary, b: StepTypeSummary): number {
  const difference = (a.mean ?? Infinity) - (b.mean ?? Infinity);
  if (difference !== 0 && !Number.isNaN(difference)) return difference;
  return a.action < b.action ? -1 : a.action > b.action ? 1 : 0;
}
