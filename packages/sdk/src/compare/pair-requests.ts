import type { RatioColumn } from "../summarize/index.ts";
import type { EstimateRequest } from "../summarize/estimates.ts";
import { isEqual } from "../summarize/resample-ratios.ts";
import type { PairTable } from "./pair-columns.ts";

/** A quantity of one pair; undefined where the pair has no part in it. */
export type PairValue = (table: PairTable, row: number) => number | undefined;

/**
 * The means of several quantities over some pairs, as requests for estimates.
 *
 * @param units number of trajectories with a pair
 */
export function pairRequests(
  table: PairTable,
  rows: Uint32Array,
  units: number,
  values: readonly PairValue[],
): EstimateRequest[] {
  const columns: RatioColumn[] = [];
  for (const value of values) columns.push(shared(pairColumn(table, rows, units, value), columns));
  return values.map((value, i) => ({
    column: columns[i]!,
    values: {
      *[Symbol.iterator]() {
        for (const row of rows) {
          const found = value(table, row);
          if (found !== undefined) yield found;
        }
      },
    },
  }));
}

/** With the lists of an earlier column where they are the same: a hundred thousand trajectories make them long. */
function shared(column: RatioColumn, earlier: readonly RatioColumn[]): RatioColumn {
  const like = earlier.find(
    ({ units, counts }) => isEqual(units, column.units) && isEqual(counts, column.counts),
  );
  if (like === undefined) return column;
  const sums = earlier.find((one) => one.units === like.units && isEqual(one.sums, column.sums))?.sums;
  return { units: like.units, counts: like.counts, sums: sums ?? column.sums };
}

/** One quantity, summed and counted by trajectory. */
export function pairColumn(
  table: PairTable,
  rows: Uint32Array,
  units: number,
  value: PairValue,
): RatioColumn {
  const sums = new Float64Array(units);
  const counts = new Float64Array(units);
  for (const row of rows) {
    const found = value(table, row);
    if (found === undefined) continue;
    const unit = table.unit[row]!;
    sums[unit]! += found;
    counts[unit]!++;
  }
  let present = 0;
  for (const count of counts) if (count > 0) present++;
  const column = {
    units: new Uint32Array(present),
    sums: new Float64Array(present),
    counts: new Float64Array(present),
  };
  for (let unit = 0, k = 0; k < present; unit++) {
    if (counts[unit]! === 0) continue;
    column.units[k] = unit;
    column.sums[k] = sums[unit]!;
    column.counts[k++] = counts[unit]!;
  }
  return column;
}

export const gainA: PairValue = (table, row) => table.gainA[row]!;
export const gainB: PairValue = (table, row) => table.gainB[row]!;
export const signedEffect: PairValue = (table, row) => table.gainA[row]! - table.gainB[row]!;
export const absoluteEffect: PairValue = (table, row) => Math.abs(table.gainA[row]! - table.gainB[row]!);
