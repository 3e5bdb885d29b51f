import { crossingRate } from "./crossing-rate.ts";
import { gainsOf, type GainUnits } from "./gain-columns.ts";
import { STEP, type StepTable } from "./step-columns.ts";
import type { CrossingRate, SignCounts } from "./summary.ts";

/** Gains by sign; a gain within the tolerance counts as zero. */
export function signCounts(table: StepTable, rows: Iterable<number>, zeroTolerance: number): SignCounts {
  const counts = { positive: 0, zero: 0, negative: 0 };
  for (const gain of gainsOf(table, rows)) {
    if (gain > zeroTolerance) counts.positive++;
    else if (gain < -zeroTolerance) counts.negative++;
    else counts.zero++;
  }
  return counts;
}

/** Damage and repair among those of the rows that have a margin, with their intervals. */
export function crossings(
  table: StepTable,
  rows: Iterable<number>,
  units: GainUnits,
): { damage: CrossingRate; repair: CrossingRate } {
  const rateOf = (bit: number, first: boolean): CrossingRate => {
    const happened = (row: number) => Number((table.bits[row]! & bit) !== 0);
    const isEligible = (row: number) => ((table.bits[row]! & STEP.targetFirst) !== 0) === first;
    return crossingRate(
      units.column(rows, happened),
      units.column(rows, (row) => (isEligible(row) ? happened(row) : undefined)),
    );
  };
  return { damage: rateOf(STEP.damage, true), repair: rateOf(STEP.repair, false) };
}
