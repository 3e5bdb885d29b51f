import { STEP } from "../summarize/step-columns.ts";
import type { CrossingRate } from "../summarize/index.ts";
import type { PairedCrossings } from "./channel-comparison.ts";
import type { PairTable } from "./pair-columns.ts";

/** Damage or repair of both channels over the same pairs. */
export function pairedCrossings(
  table: PairTable,
  rows: Uint32Array,
  kind: "damage" | "repair",
): PairedCrossings {
  const bit = STEP[kind];
  let eligibleA = 0;
  let eligibleB = 0;
  let onlyA = 0;
  let onlyB = 0;
  let both = 0;
  for (const row of rows) {
    const a = table.bitsA[row]!;
    const b = table.bitsB[row]!;
    if (canCross(a, kind)) eligibleA++;
    if (canCross(b, kind)) eligibleB++;
    if (a & b & bit) both++;
    else if (a & bit) onlyA++;
    else if (b & bit) onlyB++;
  }
  return {
    a: rate(both + onlyA, rows.length, eligibleA),
    b: rate(both + onlyB, rows.length, eligibleB),
    both,
    onlyA,
    onlyB,
  };
}

/** Damage can happen where the target is first, repair where it is not. */
export function canCross(bits: number, kind: "damage" | "repair"): boolean {
  return ((bits & STEP.targetFirst) !== 0) === (kind === "damage");
}

function rate(count: number, steps: number, eligible: number): CrossingRate {
  return {
    count,
    ...(steps === 0 ? {} : { rate: count / steps }),
    eligible,
    ...(eligible === 0 ? {} : { rateOfEligible: count / eligible }),
  };
}
