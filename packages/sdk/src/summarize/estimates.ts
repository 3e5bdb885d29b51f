import { fsum } from "../math/index.ts";
import { bootstrapPValue } from "./bootstrap-p-value.ts";
import { isEqual, resampleRatios, type RatioColumn } from "./resample-ratios.ts";
import type { Estimate } from "./summary.ts";
import { MIN_TRAJECTORIES, percentileInterval } from "./trajectory-bootstrap.ts";

/** A column of which an estimate is wanted. */
export interface EstimateRequest {
  column: RatioColumn;
  /** The values themselves, for a mean without rounding; the sums of the column when left out. */
  values?: Iterable<number>;
}

/** An estimate, and the p-value of its mean being zero where there is an interval that varies. */
export interface TestedEstimate {
  estimate: Estimate;
  pValue?: number;
}

/**
 * Means and intervals of several quantities over the same trajectories, all from the same resamples.
 * A quantity that fewer than {@link MIN_TRAJECTORIES} trajectories have gets its mean and no interval.
 */
export function estimates(
  requests: readonly EstimateRequest[],
  options: { units: number; resamples: number; seed: number },
): TestedEstimate[] {
  const wide = distinct(requests.map(({ column }) => column)).filter(isWide);
  const resampled = options.resamples === 0 || wide.length === 0 ? [] : resampleRatios(wide, options);
  return requests.map(({ column, values = column.sums }) => {
    const steps = column.counts.reduce((sum, count) => sum + count, 0);
    const empty: Estimate = { steps, trajectories: column.units.length };
    if (steps === 0) return { estimate: { ...empty, intervalAbsent: "no_values" } };
    const mean = fsum(values) / steps;
    const found = resampled[wide.findIndex((other) => isSame(other, column))];
    if (found === undefined) {
      const intervalAbsent = isWide(column) ? "not_requested" : "too_few_trajectories";
      return { estimate: { ...empty, mean, intervalAbsent } };
    }
    const interval = percentileInterval(column, found);
    const pValue = interval.degenerate ? undefined : bootstrapPValue(found.values);
    return { estimate: { ...empty, mean, interval }, ...(pValue === undefined ? {} : { pValue }) };
  });
}

function isWide(column: RatioColumn): boolean {
  return column.units.length >= MIN_TRAJECTORIES;
}

/** Each column once: a variant that leaves nothing out is the whole, and resampling it again costs as much. */
function distinct(columns: readonly RatioColumn[]): RatioColumn[] {
  return columns.filter((column, i) => columns.findIndex((other) => isSame(other, column)) === i);
}

function isSame(a: RatioColumn, b: RatioColumn): boolean {
  return a === b || (isEqual(a.units, b.units) && isEqual(a.counts, b.counts) && isEqual(a.sums, b.sums));
}
