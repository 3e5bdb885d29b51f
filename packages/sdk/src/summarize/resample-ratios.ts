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
 * One vector of multiplicities a resample is shared by all columns, and a list of sums or counts that
 * several columns have in common is added up once: O(resamples · (units + distinct entries)).
 *
 * @param options.seed 32-bit integer; the stream is that of createRandom
 */
export function resampleRatios(
  columns: readonly RatioColumn[],
  options: { units: number; resamples: number; seed: number },
): ResampledRatio[] {
  const { units, resamples, seed } = options;
  const random = createRandom(seed);
  const times = new Float64Array(units);
  const { parts, ratios } = distinctParts(columns);
  const totals = new Float64Array(parts.length);
  const values = columns.map(() => new Float64Array(resamples));
  const kept = columns.map(() => 0);
  for (let r = 0; r < resamples; r++) {
    times.fill(0);
    for (let i = 0; i < units; i++) times[random.below(units)]!++;
    for (let p = 0; p < parts.length; p++) totals[p] = weightedSum(parts[p]!, times);
    for (let c = 0; c < columns.length; c++) {
      const { sum, count } = ratios[c]!;
      if (totals[count] === 0) continue;
      values[c]![kept[c]!] = totals[sum]! / totals[count]!;
      kept[c]!++;
    }
  }
  return values.map((all, c) => ({
    values: all.subarray(0, kept[c]).sort(),
    skipped: resamples - kept[c]!,
  }));
}

/** One list of numbers over units. */
interface Part {
  units: Uint32Array;
  values: Float64Array;
}

/** Every list once, and which two of them make each column's ratio. */
function distinctParts(columns: readonly RatioColumn[]): {
  parts: Part[];
  ratios: { sum: number; count: number }[];
} {
  const parts: Part[] = [];
  const place = (units: Uint32Array, values: Float64Array): number => {
    const known = parts.findIndex((part) => isEqual(part.units, units) && isEqual(part.values, values));
    return known >= 0 ? known : parts.push({ units, values }) - 1;
  };
  const ratios = columns.map(({ units, sums, counts }) => ({
    sum: place(units, sums),
    count: place(units, counts),
  }));
  return { parts, ratios };
}

export function isEqual(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** Two accumulators, since one would make every addition wait for the one before it. */
function weightedSum({ units, values }: Part, times: Float64Array): number {
  const length = values.length;
  const isDense = length === times.length;
  let even = 0;
  let odd = 0;
  let k = 0;
  if (isDense) {
    for (; k + 1 < length; k += 2) {
      even += times[k]! * values[k]!;
      odd += times[k + 1]! * values[k + 1]!;
    }
  } else {
    for (; k + 1 < length; k += 2) {
      even += times[units[k]!]! * values[k]!;
      odd += times[units[k + 1]!]! * values[k + 1]!;
    }
  }
  if (k < length) even += times[units[k]!]! * values[k]!;
  return even + odd;
}
