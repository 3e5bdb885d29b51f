import { fsum } from "../math/index.ts";
import { resampleRatios, type RatioColumn } from "./resample-ratios.ts";
import type { Estimate } from "./summary.ts";
import { MIN_TRAJECTORIES, percentileInterval } from "./trajectory-bootstrap.ts";

/** A column of which an estimate is wanted. */
export interface EstimateRequest {
  column: RatioColumn;
  /** The values themselves, for a mean without rounding; the sums of the column when left out. */
  values?: Iterable<number>;
}

/**
 * Means and intervals of several quantities over the same trajectories, all from the same resamples.
 * A quantity that fewer than {@link MIN_TRAJECTORIES} trajectories have gets its mean and no interval.
 */
export function estimates(
  requests: readonly EstimateRequest[],
  options: { units: number; resamples: number; seed: number },
): Estimate[] {
  const wide = requests.filter(({ column }) => column.units.length >= MIN_TRAJECTORIES);
  const resampled =
    options.resamples === 0 || wide.length === 0
      ? []
      : resampleRatios(
          wide.map(({ column }) => column),
          options,
        );
  return requests.map((request) => {
    const { column } = request;
    const steps = column.counts.reduce((sum, count) => sum + count, 0);
    const estimate: Estimate = { steps, trajectories: column.units.length };
    if (steps === 0) return { ...estimate, intervalAbsent: "no_values" };
    estimate.mean = fsum(request.values ?? column.sums) / steps;
    const found = resampled[wide.indexOf(request)];
    if (found !== undefined) return { ...estimate, interval: percentileInterval(column, found) };
    const isWide = column.units.length >= MIN_TRAJECTORIES;
    return { ...estimate, intervalAbsent: isWide ? "not_requested" : "too_few_trajectories" };
  });
}
