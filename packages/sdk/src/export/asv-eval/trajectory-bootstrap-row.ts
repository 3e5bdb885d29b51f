import { quantile, RANDOM_NAME } from "../../math/index.ts";
import {
  DEFAULT_SEED,
  leaveOneOut,
  MIN_TRAJECTORIES,
  ratioColumn,
  resampleRatios,
} from "../../summarize/index.ts";
import { round6 } from "./python-round.ts";
import { mean6 } from "./rounded-mean.ts";
import { gainsByTrajectory } from "./tables.ts";
import type { AsvEvalRow } from "./step-row.ts";

/** The toolkit's own number of resamples. */
export const ASV_EVAL_RESAMPLES = 5000;

/** `trajectory_bootstrap` of `summary.json`. */
export interface TrajectoryBootstrapRow {
  metric: "gold_margin_gain";
  unit: "trajectory";
  trajectory_count: number;
  mean: number | null;
  ci_low: number | null;
  ci_high: number | null;
  loto_min: number | null;
  loto_max: number | null;
  sign_stable: boolean | null;
  resamples: number;
  seed: number;
  /** Not one of the toolkit's keys: its resamples come from Python's generator, these from another. */
  random?: string;
}

/**
 * Interval of the trajectories' own means, as the toolkit defines it, each trajectory counting once.
 * Copies of one run under other label mappings (`<id>-permutation-<b>`) are one trajectory here: resampled
 * apart, as the toolkit does, they would pass for independent runs and narrow the interval.
 *
 * Everything but the interval's ends is reproducible across the two programs. The ends are not, as the
 * toolkit draws from Python's Mersenne Twister: `random` names the generator used instead. Below five
 * trajectories they are null, where the toolkit would print them.
 */
export function trajectoryBootstrapRow(
  rows: readonly AsvEvalRow[],
  options: { resamples?: number; seed?: number } = {},
): TrajectoryBootstrapRow {
  const { resamples = ASV_EVAL_RESAMPLES, seed = DEFAULT_SEED } = options;
  const means = gainsByTrajectory(rows.map(asOneRun)).flatMap(({ mean }) => (mean === null ? [] : [mean]));
  const empty: TrajectoryBootstrapRow = {
    metric: "gold_margin_gain",
    unit: "trajectory",
    trajectory_count: means.length,
    mean: null,
    ci_low: null,
    ci_high: null,
    loto_min: null,
    loto_max: null,
    sign_stable: null,
    resamples,
    seed,
  };
  if (means.length === 0) return empty;
  const mean = mean6(means);
  const ones = means.map(() => 1);
  const left = leaveOneOut(means, ones, means.map(String)) ?? { min: mean, max: mean };
  const min = round6(left.min);
  const max = round6(left.max);
  const row = {
    ...empty,
    mean,
    loto_min: min,
    loto_max: max,
    sign_stable: mean > 0 ? min > 0 : mean < 0 && max < 0,
  };
  if (means.length < MIN_TRAJECTORIES || resamples === 0) return row;
  const [resampled] = resampleRatios([ratioColumn(means, ones)], { units: means.length, resamples, seed });
  return {
    ...row,
    ci_low: round6(quantile(resampled!.values, 0.025)),
    ci_high: round6(quantile(resampled!.values, 0.975)),
    random: RANDOM_NAME,
  };
}

function asOneRun(row: AsvEvalRow): AsvEvalRow {
  return { ...row, trajectory_id: row.trajectory_id.replace(/-permutation-\d+$/, "") };
}
