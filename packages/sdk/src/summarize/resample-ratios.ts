import { createRandom } from "../math/index.ts";

/**
 * A quantity as sums and counts over units: its value is Σ sums / Σ counts. Units without a part in
 * it are left out, so a rare step type costs little.
 */
export interface RatioColumn {
  /** Unit of each entry, ascending. */
  units: Uint32Array;
  sums: Float64Array;
  counts: Float64Array;
}

/** The resampled values of one column, ascending. */
export interface ResampledRatio {
  values: Float64Array;
  /** Resamples in which the column's counts summed to zero; they have no value. */
  skipped: number;
}

/**
 * Draws `units` units with replacement, `resamples` times, and takes every column's ratio from the
 * same draws, so that columns can be compared.
 *
 * One vector of multiplicities a resample is shared by all columns: O(resamples · (units + entries)).
 *
 * @param seed 32-bit integer; the stream is that of createRandom
 */
export function resampleRatios(
  columns: readonly RatioColumn[],
  options: { units: number; resamples: number; seed: number },
): ResampledRatio[] {
  const { units, resamples, seed } = options;
  const random = createRandom(seed);
  const times = new Float64Array(units);
  const values = columns.map(() => new Float64Array(resamples));
  const kept = columns.map(() => 0);
  for (let r = 0; r < resamples; r++) {
    times.fill(0);
    for (let i = 0; i < units; i++) times[random.below(units)]!++;
    for (let c = 0; c < columns.length; c++) {
      const ratio = weightedRatio(columns[c]!, times);
      if (ratio === undefined) continue;
      values[c]![kept[c]!] = ratio;
      kept[c]!++;
    }
  }
  return values.map((all, c) => ({
    values: all.subarray(0, kept[c]).sort(),
    skipped: resamples - kept[c]!,
  }));
}

/** Two accumulators each, since one would make every addition wait for the one before it. */
function weightedRatio(column: RatioColumn, times: Float64Array): number | undefined {
  const { units, sums, counts } = column;
  const length = units.length;
  const isDense = length === times.length;
  let sumEven = 0;
  let sumOdd = 0;
  let countEven = 0;
  let countOdd = 0;
  let k = 0;
  for (; k + 1 < length; k += 2) {
    const even = times[isDense ? k : units[k]!]!;
    const odd = times[isDense ? k + 1 : units[k + 1]!]!;
    sumEven += even * sums[k]!;
    sumOdd += odd * sums[k + 1]!;
    countEven += even * counts[k]!;
    countOdd += odd * counts[k + 1]!;
  }
  if (k < length) {
    const last = times[units[k]!]!;
    sumEven += last * sums[k]!;
    countEven += last * counts[k]!;
  }
  const count = countEven + countOdd;
  return count === 0 ? undefined : (sumEven + sumOdd) / count;
}
