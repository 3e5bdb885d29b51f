import { rateInterval } from "./rate-interval.ts";
import type { RatioColumn } from "./resample-ratios.ts";
import type { CrossingRate } from "./summary.ts";

/**
 * Damage or repair as a rate, twice: over all steps, and over those at which it could happen.
 *
 * @param all events among all steps, by trajectory
 * @param eligible the same events among the steps at which they could happen
 */
export function crossingRate(all: RatioColumn, eligible: RatioColumn): CrossingRate {
  const count = sum(all.sums);
  const steps = sum(all.counts);
  const could = sum(eligible.counts);
  const interval = rateInterval(all);
  const intervalOfEligible = rateInterval(eligible);
  return {
    count,
    ...(steps === 0 ? {} : { rate: count / steps }),
    ...(interval === undefined ? {} : { interval }),
    eligible: could,
    ...(could === 0 ? {} : { rateOfEligible: count / could }),
    ...(intervalOfEligible === undefined ? {} : { intervalOfEligible }),
  };
}

/** Counts: exact. */
function sum(values: Float64Array): number {
  return values.reduce((total, value) => total + value, 0);
}
