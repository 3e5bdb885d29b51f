import { crossingRate } from "../summarize/crossing-rate.ts";
import { STEP } from "../summarize/step-columns.ts";
import type { CrossingRate } from "../summarize/index.ts";
import type { PairedCrossings } from "./channel-comparison.ts";
import type { PairTable } from "./pair-columns.ts";
import { pairColumn } from "./pair-requests.ts";

/** Damage or repair of both channels over the same pairs. */
export function pairedCrossings(
  table: PairTable,
  rows: Uint32Array,
  units: number,
  kind: "damage" | "repair",
): PairedCrossings {
  const bit = STEP[kind];
  let onlyA = 0;
  let onlyB = 0;
  let both = 0;
  for (const row of rows) {
    const a = table.bitsA[row]! & bit;
    const b = table.bitsB[row]! & bit;
    if (a && b) both++;
    else if (a) onlyA++;
    else if (b) onlyB++;
  }
  return {
    a: crossingsOf(table, rows, units, kind, "bitsA"),
    b: crossingsOf(table, rows, units, kind, "bitsB"),
    both,
    onlyA,
    onlyB,
  };
}

/** Damage or repair of one of the channels. It can happen where the target is first, or is not. */
export function crossingsOf(
  table: PairTable,
  rows: Uint32Array,
  units: number,
  kind: "damage" | "repair",
  side: "bitsA" | "bitsB",
): CrossingRate {
  const bits = table[side];
  const happened = (row: number) => Number((bits[row]! & STEP[kind]) !== 0);
  const couldHappen = (row: number) => ((bits[row]! & STEP.targetFirst) !== 0) === (kind === "damage");
  return crossingRate(
    pairColumn(table, rows, units, (_, row) => happened(row)),
    pairColumn(table, rows, units, (_, row) => (couldHappen(row) ? happened(row) : undefined)),
  );
}
