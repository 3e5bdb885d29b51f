import type { TestedEstimate } from "./estimates.ts";
import { gainsOf } from "./gain-columns.ts";
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

/** Damage and repair among those of the rows that have a margin. */
export function crossings(
  table: StepTable,
  rows: Iterable<number>,
): { damage: CrossingRate; repair: CrossingRate } {
  let steps = 0;
  let first = 0;
  let damage = 0;
  let repair = 0;
  for (const row of rows) {
    const bits = table.bits[row]!;
    if ((bits & STEP.hasGain) === 0) continue;
    steps++;
    if (bits & STEP.targetFirst) first++;
    if (bits & STEP.damage) damage++;
    if (bits & STEP.repair) repair++;
  }
  return { damage: rate(damage, steps, first), repair: rate(repair, steps, steps - first) };
}

/** A rate with its intervals, where there are any. */
export function withIntervals(
  rate: CrossingRate,
  ofAll: TestedEstimate,
  ofEligible?: TestedEstimate,
): CrossingRate {
  const { interval } = ofAll.estimate;
  const intervalOfEligible = ofEligible?.estimate.interval;
  const { count, eligible, ...rates } = rate;
  return {
    count,
    ...(rates.rate === undefined ? {} : { rate: rates.rate }),
    ...(interval === undefined ? {} : { interval }),
    eligible,
    ...(rates.rateOfEligible === undefined ? {} : { rateOfEligible: rates.rateOfEligible }),
    ...(intervalOfEligible === undefined ? {} : { intervalOfEligible }),
  };
}

function rate(count: number, steps: number, eligible: number): CrossingRate {
  return {
    count,
    ...(steps === 0 ? {} : { rate: count / steps }),
    eligible,
    ...(eligible === 0 ? {} : { rateOfEligible: count / eligible }),
  };
}
