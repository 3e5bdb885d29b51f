import type { Estimate } from "../summarize/index.ts";
import type { SignDisagreement } from "./channel-comparison.ts";
import type { PairTable } from "./pair-columns.ts";

/**
 * A gain that rounds to 0 at six decimals is at most this in size. The double 5e-7 lies just below the
 * half, which rounds down, and its successor above.
 */
const SIX_DECIMALS = 5e-7;

/** What counts as a move. */
export interface MoveReading {
  reading: SignDisagreement["reading"];
  threshold: number;
}

/** Both readings of "nonzero": beyond the tie tolerance, and as the reference counts. */
export function moveReadings(zeroTolerance: number): { tolerance: MoveReading; sixDecimals: MoveReading } {
  return {
    tolerance: { reading: "tolerance", threshold: zeroTolerance },
    sixDecimals: { reading: "six_decimals", threshold: SIX_DECIMALS },
  };
}

/** 1 where the signs differ, 0 where they agree, undefined where either channel did not move. */
export function signsDiffer(gainA: number, gainB: number, threshold: number): 0 | 1 | undefined {
  if (Math.abs(gainA) <= threshold || Math.abs(gainB) <= threshold) return undefined;
  return gainA > 0 === gainB > 0 ? 0 : 1;
}

/** Counts of one reading; the rate comes from the resampling. */
export function signDisagreement(
  table: PairTable,
  rows: Uint32Array,
  { reading, threshold }: MoveReading,
  rate: Estimate,
): SignDisagreement {
  const counts = { bothMoved: 0, disagree: 0, onlyAMoved: 0, onlyBMoved: 0, neitherMoved: 0 };
  for (const row of rows) {
    const movedA = Math.abs(table.gainA[row]!) > threshold;
    const movedB = Math.abs(table.gainB[row]!) > threshold;
    if (movedA && movedB) {
      counts.bothMoved++;
      if (table.gainA[row]! > 0 !== table.gainB[row]! > 0) counts.disagree++;
    } else if (movedA) counts.onlyAMoved++;
    else if (movedB) counts.onlyBMoved++;
    else counts.neitherMoved++;
  }
  return { reading, threshold, ...counts, rate };
}
