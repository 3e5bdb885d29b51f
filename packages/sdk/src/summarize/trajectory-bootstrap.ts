import { AsvError, InvalidArgumentError } from "../errors/index.ts";
import { quantile } from "../math/index.ts";
import { resampleRatios, type RatioColumn, type ResampledRatio } from "./resample-ratios.ts";
import type { Interval } from "./summary.ts";

/** Share of resamples the interval covers. */
export const INTERVAL_LEVEL = 0.95;
const TAIL = 0.025;
/** Fewer trajectories than this give no interval: it would mostly show which ones were drawn. */
export const MIN_TRAJECTORIES = 5;
/** Below this the interval covers less than it says (about 0.89 instead of 0.95 at ten). */
export const FEW_TRAJECTORIES = 20;

/** Below this a tail of the interval rests on fewer than five resamples, so that its ends are coarse. */
export const FEW_RESAMPLES = 200;

export const DEFAULT_RESAMPLES = 10_000;
export const DEFAULT_SEED = 7;

/**
 * Percentile interval of a mean, from resampling whole trajectories: steps of one trajectory depend on
 * each other, so they are drawn together (paper section 5.1). Quantiles are of type 7.
 *
 * @param sums sum of the quantity in each trajectory
 * @param counts number of steps that have it; the mean is Σ sums / Σ counts
 * @throws AsvError `too_few_trajectories` below {@link MIN_TRAJECTORIES}
 */
export function trajectoryBootstrap(
  sums: ArrayLike<number>,
  counts: ArrayLike<number>,
  options: { resamples?: number; seed?: number } = {},
): Interval {
  const { resamples = DEFAULT_RESAMPLES, seed = DEFAULT_SEED } = options;
  checkResampling(resamples, seed);
  if (counts.length !== sums.length) {
    throw new InvalidArgumentError("counts", `one entry a trajectory (${sums.length})`, counts.length);
  }
  const column = ratioColumn(sums, counts);
  if (column.units.length < MIN_TRAJECTORIES || resamples === 0) throw tooFew(column.units.length, resamples);
  const [resampled] = resampleRatios([column], { units: sums.length, resamples, seed });
  return percentileInterval(column, resampled!);
}

/** The entries of a column that count something. */
export function ratioColumn(sums: ArrayLike<number>, counts: ArrayLike<number>): RatioColumn {
  const units: number[] = [];
  for (let i = 0; i < counts.length; i++) if (counts[i]! > 0) units.push(i);
  return {
    units: Uint32Array.from(units),
    sums: Float64Array.from(units, (i) => sums[i]!),
    counts: Float64Array.from(units, (i) => counts[i]!),
  };
}

/**
 * 2.5 % and 97.5 % of the resampled values; the point itself when all trajectories have one mean.
 *
 * The upper end is taken from the top as the lower one is from the bottom, so that the interval of −x is
 * that of x with its ends exchanged and negated to the last digit.
 */
export function percentileInterval(column: RatioColumn, resampled: ResampledRatio): Interval {
  const shared = sharedMean(column);
  const low = shared ?? quantile(resampled.values, TAIL);
  const high = shared ?? quantileFromTop(resampled.values, TAIL);
  return {
    level: INTERVAL_LEVEL,
    low,
    high,
    skippedResamples: resampled.skipped,
    ...(shared === undefined ? {} : { degenerate: true }),
  };
}

/** Quantile 1 − q of type 7, interpolated from above. */
function quantileFromTop(sorted: Float64Array, q: number): number {
  const last = sorted.length - 1;
  const position = last * q;
  const above = Math.floor(position);
  const high = sorted[last - above]!;
  const low = sorted[Math.max(last - above - 1, 0)]!;
  return high + (position - above) * (low - high);
}

/** The one mean of all trajectories, when they differ by no more than rounding. */
function sharedMean({ sums, counts }: RatioColumn): number | undefined {
  let low = Infinity;
  let high = -Infinity;
  for (let k = 0; k < sums.length; k++) {
    const mean = sums[k]! / counts[k]!;
    if (mean < low) low = mean;
    if (mean > high) high = mean;
  }
  const isShared = high - low <= 1e-12 * Math.max(1, Math.abs(high), Math.abs(low));
  return isShared ? (low + high) / 2 : undefined;
}

export function checkResampling(resamples: number, seed: number): void {
  if (!Number.isSafeInteger(resamples) || resamples < 0 || resamples > 1_000_000) {
    throw new InvalidArgumentError("resamples", "an integer from 0 to 1000000", resamples);
  }
  if (!Number.isInteger(seed) || seed < -2_147_483_648 || seed > 4_294_967_295) {
    throw new InvalidArgumentError("seed", "a 32-bit integer", seed);
  }
}

function tooFew(trajectories: number, resamples: number): AsvError {
  if (resamples === 0) return new InvalidArgumentError("resamples", "at least 1 for an interval", resamples);
  return new AsvError(
    "too_few_trajectories",
    `An interval needs at least ${MIN_TRAJECTORIES} trajectories with a value, got ${trajectories}. ` +
      `Measure more trajectories, or report the mean alone.`,
    { trajectories, needed: MIN_TRAJECTORIES },
  );
}
