import type { RatioColumn } from "../summarize/index.ts";
import type { EstimateRequest } from "../summarize/estimates.ts";
import type { PairTable } from "./pair-columns.ts";

/** A quantity of one pair; undefined where the pair has no part in it. */
export type PairValue = (table: PairTable, row: number) => number | undefined;

/**
 * The mean of a quantity over some pairs, as a request for an estimate.
 *
 * @param units number of trajectories with a pair
 */
export function pairRequest(
  table: PairTable,
  rows: Uint32Array,
  units: number,
  value: PairValue,
): EstimateRequest {
  return {
    column: pairColumn(table, rows, units, value),
    values: {
      *[Symbol.iterator]() {
        for (const row of rows) {
          const found = value(table, row);
          if (found !== undefined) yield found;
        }
      },
    },
  };
}

function pairColumn(table: PairTable, rows: Uint32Array, units: number, value: PairValue): RatioColumn {
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
