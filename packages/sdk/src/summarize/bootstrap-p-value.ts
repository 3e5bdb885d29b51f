/**
 * Two-sided p-value of "the quantity is zero" from its resampled values:
 * min(1, 2 (1 + min(#{θ* ≤ 0}, #{θ* ≥ 0})) / (B + 1)).
 *
 * It is the smallest α at which the percentile interval of level 1 − α leaves zero out, with one added to
 * count and total so that no finite number of resamples claims an impossible event: the least it can be is
 * 2 / (B + 1). It shares the percentile interval's fault of being a little too sure with few trajectories.
 *
 * @param values resampled values, ascending, at least one
 */
export function bootstrapPValue(values: Float64Array): number {
  let notAbove = 0;
  let notBelow = 0;
  for (const value of values) {
    if (value <= 0) notAbove++;
    if (value >= 0) notBelow++;
  }
  return Math.min(1, (2 * (1 + Math.min(notAbove, notBelow))) / (values.length + 1));
}
