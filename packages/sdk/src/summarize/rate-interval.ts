import type { RatioColumn } from "./resample-ratios.ts";
import type { RateInterval } from "./summary.ts";
import { INTERVAL_LEVEL, MIN_TRAJECTORIES } from "./trajectory-bootstrap.ts";

/** Two-sided normal quantile of {@link INTERVAL_LEVEL}. */
const Z = 1.959963984540054;

/**
 * Interval of a rate whose events may be rare: Wilson's score interval, over as many steps as the trajectories
 * are worth.
 *
 * Resampling cannot serve here. With 3 events in 100 steps the percentile interval holds the true rate in some
 * 85 % of cases, and with none it is the point 0. Wilson's holds it, but takes steps for independent, so their
 * number is divided by the design effect: the variance that the trajectories show (that of a ratio of sums) over
 * the one that independent steps would have. It is never taken to be below 1; and where there is no event, or
 * nothing else, so that it cannot be seen, each trajectory counts as one step.
 *
 * @param column events (`sums`) among steps (`counts`) by trajectory
 * @returns undefined below {@link MIN_TRAJECTORIES} trajectories
 */
export function rateInterval({ sums, counts }: RatioColumn): RateInterval | undefined {
  const trajectories = sums.length;
  if (trajectories < MIN_TRAJECTORIES) return undefined;
  let events = 0;
  let steps = 0;
  for (let i = 0; i < trajectories; i++) {
    events += sums[i]!;
    steps += counts[i]!;
  }
  const rate = events / steps;
  let squares = 0;
  for (let i = 0; i < trajectories; i++) squares += (sums[i]! - rate * counts[i]!) ** 2;
  const variance = ((trajectories / (trajectories - 1)) * squares) / steps ** 2;
  const effectiveSteps =
    rate === 0 || rate === 1 ? trajectories : Math.min(steps, (rate * (1 - rate)) / variance);
  return { level: INTERVAL_LEVEL, ...wilson(rate, effectiveSteps), method: "wilson", effectiveSteps };
}

/** Wilson's score interval (J. Am. Stat. Assoc. 22, 1927). */
function wilson(rate: number, n: number): { low: number; high: number } {
  const shrink = 1 + Z ** 2 / n;
  const centre = (rate + Z ** 2 / (2 * n)) / shrink;
  const half = (Z * Math.sqrt((rate * (1 - rate)) / n + Z ** 2 / (4 * n ** 2))) / shrink;
  // At 0 and 1 the two terms are equal and their difference is rounding.
  return {
    low: rate === 0 ? 0 : Math.max(0, centre - half),
    high: rate === 1 ? 1 : Math.min(1, centre + half),
  };
}
