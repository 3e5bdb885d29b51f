import type { RatioColumn } from "./resample-ratios.ts";
import { STEP, type StepTable } from "./step-columns.ts";

/** Margin gains by trajectory, for the trajectories that have any: these are the units of resampling. */
export interface GainUnits {
  /** Number of such trajectories. */
  size: number;
  /** Their places in the summarizer's list of trajectories. */
  trajectories: Uint32Array;
  /**
   * A quantity of the given rows, summed and counted by trajectory. Rows without a gain are passed over, and so
   * are rows for which the quantity is undefined.
   *
   * @param valueOf default: the gain
   */
  column(rows: Iterable<number>, valueOf?: (row: number) => number | undefined): RatioColumn;
}

/** Numbers the trajectories that have a gain, in the order of their first one. */
export function gainUnits(table: StepTable, trajectoryCount: number): GainUnits {
  const unitOf = new Int32Array(trajectoryCount).fill(-1);
  const trajectories = new Uint32Array(trajectoryCount);
  let size = 0;
  for (let row = 0; row < table.length; row++) {
    const trajectory = table.trajectory[row]!;
    if (!hasGain(table, row) || unitOf[trajectory] !== -1) continue;
    trajectories[size] = trajectory;
    unitOf[trajectory] = size++;
  }
  // Scratch space that all columns share; each leaves it zeroed.
  const sums = new Float64Array(size);
  const counts = new Float64Array(size);
  const everyUnit = Uint32Array.from({ length: size }, (_, unit) => unit);
  return {
    size,
    trajectories: trajectories.subarray(0, size),
    column(rows, valueOf = (row) => table.gain[row]!) {
      for (const row of rows) {
        if (!hasGain(table, row)) continue;
        const value = valueOf(row);
        if (value === undefined) continue;
        const unit = unitOf[table.trajectory[row]!]!;
        sums[unit]! += value;
        counts[unit]!++;
      }
      const units = withCount(counts, everyUnit);
      const column = { units, sums: pick(units, sums), counts: pick(units, counts) };
      sums.fill(0);
      counts.fill(0);
      return column;
    },
  };
}

/** Units that have a part in a column; one shared list when all have. */
function withCount(counts: Float64Array, everyUnit: Uint32Array): Uint32Array {
  let found = 0;
  for (const count of counts) if (count > 0) found++;
  if (found === counts.length) return everyUnit;
  const units = new Uint32Array(found);
  for (let unit = 0, k = 0; k < found; unit++) if (counts[unit]! > 0) units[k++] = unit;
  return units;
}

function pick(units: Uint32Array, values: Float64Array): Float64Array {
  const picked = new Float64Array(units.length);
  for (let k = 0; k < units.length; k++) picked[k] = values[units[k]!]!;
  return picked;
}

/** The same trajectories, each counting once with its own mean. */
export function trajectoryMeans({ units, sums, counts }: RatioColumn): RatioColumn {
  return { units, sums: sums.map((sum, k) => sum / counts[k]!), counts: counts.map(() => 1) };
}

/** Gains of those of the rows that have one, without a copy. */
export function* gainsOf(table: StepTable, rows: Iterable<number>): Generator<number> {
  for (const row of rows) if (hasGain(table, row)) yield table.gain[row]!;
}

function hasGain(table: StepTable, row: number): boolean {
  return (table.bits[row]! & STEP.hasGain) !== 0;
}
