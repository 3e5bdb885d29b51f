import type { LeaveOneOut } from "./summary.ts";

/**
 * Means with one trajectory left out at a time, O(n) by subtracting each one's part from the totals.
 *
 * @param sums sum of the quantity in each trajectory
 * @param counts steps that have it, each at least 1
 * @param ids trajectory ids, same order
 * @returns undefined with fewer than two trajectories
 */
export function leaveOneOut(
  sums: ArrayLike<number>,
  counts: ArrayLike<number>,
  ids: readonly string[],
): LeaveOneOut | undefined {
  if (ids.length < 2) return undefined;
  let sum = 0;
  let count = 0;
  for (let i = 0; i < ids.length; i++) {
    sum += sums[i]!;
    count += counts[i]!;
  }
  let min = Infinity;
  let max = -Infinity;
  let minWithout = 0;
  let maxWithout = 0;
  for (let i = 0; i < ids.length; i++) {
    const mean = (sum - sums[i]!) / (count - counts[i]!);
    if (mean < min) [min, minWithout] = [mean, i];
    if (mean > max) [max, maxWithout] = [mean, i];
  }
  const mean = sum / count;
  return {
    min,
    max,
    minWithout: ids[minWithout]!,
    maxWithout: ids[maxWithout]!,
    signStable: mean > 0 ? min > 0 : mean < 0 && max < 0,
  };
}
