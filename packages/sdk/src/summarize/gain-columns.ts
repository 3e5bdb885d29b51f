import type { RatioColumn } from "./resample-ratios.ts";
import { STEP, type StepTable } from "./step-columns.ts";

/** Margin gains by trajectory, for the trajectories that have any. */
export interface GainUnits {
  /** Number of such trajectories. */
  size: number;
  /** Their places in the summarizer's list of trajectories. */
  trajectories: number[];
  /** Rows that have a gain, in the order they came. */
  rows: Uint32Array;
  /** Gains of the given rows, summed and counted by trajectory. */
  column(rows: Iterable<number>): RatioColumn;
}

/** Numbers the trajectories that have a gain, which are the units of resampling. */
export function gainUnits(table: StepTable, trajectoryCount: number): GainUnits {
  const unitOf = new Int32Array(trajectoryCount).fill(-1);
  const trajectories: number[] = [];
  const rows = new Uint32Array(table.length);
  let found = 0;
  for (let row = 0; row < table.length; row++) {
    if ((table.bits[row]! & STEP.hasGain) === 0) continue;
    rows[found++] = row;
    const trajectory = table.trajectory[row]!;
    if (unitOf[trajectory] === -1) unitOf[trajectory] = trajectories.push(trajectory) - 1;
  }
  const size = trajectories.length;
  const sums = new Float64Array(size);
  const counts = new Float64Array(size);
  return {
    size,
    trajectories,
    rows: rows.subarray(0, found),
    column(chosen) {
      const touched = new Set<number>();
      for (const row of chosen) {
        const unit = unitOf[table.trajectory[row]!]!;
        touched.add(unit);
        sums[unit]! += table.gain[row]!;
        counts[unit]!++;
      }
      const units = Uint32Array.from(touched).sort();
      const column: RatioColumn = {
        units,
        sums: Float64Array.from(units, (unit) => sums[unit]!),
        counts: Float64Array.from(units, (unit) => counts[unit]!),
      };
      // The scratch arrays are shared by all columns: leave them as they were found.
      for (const unit of units) sums[unit] = counts[unit] = 0;
      return column;
    },
  };
}

/** The same trajectories, each counting once with its own mean. */
export function trajectoryMeans({ units, sums, counts }: RatioColumn): RatioColumn {
  return { units, sums: sums.map((sum, k) => sum / counts[k]!), counts: counts.map(() => 1) };
}

/** Gains of the given rows, without a copy. */
export function* gainsOf(table: StepTable, rows: Iterable<number>): Generator<number> {
  for (const row of rows) yield table.gain[row]!;
}
