import type { Estimate } from "../summarize/index.ts";
import type { EstimateRequest } from "../summarize/estimates.ts";
import type { ChannelEffect } from "./channel-comparison.ts";
import type { PairTable } from "./pair-columns.ts";
import { absoluteEffect, gainA, gainB, pairRequests, signedEffect, type PairValue } from "./pair-requests.ts";
import { pairedCrossings } from "./paired-crossings.ts";
import { moveReadings, signDisagreement, signsDiffer, type MoveReading } from "./sign-disagreement.ts";

/** One set of pairs: what to estimate of it, and the effect once it is estimated. */
export interface EffectPlan {
  rows: Uint32Array;
  requests: EstimateRequest[];
  effect(estimates: readonly Estimate[]): ChannelEffect;
}

/** Place of the signed effect among a plan's requests. */
export const SIGNED = 2;

/**
 * Plans the channel effect over some pairs.
 *
 * @param units number of trajectories with a pair
 */
export function planEffect(
  table: PairTable,
  rows: Uint32Array,
  units: number,
  zeroTolerance: number,
): EffectPlan {
  const { tolerance, sixDecimals } = moveReadings(zeroTolerance);
  return {
    rows,
    requests: pairRequests(table, rows, units, [
      gainA,
      gainB,
      signedEffect,
      absoluteEffect,
      flip(tolerance),
      flip(sixDecimals),
    ]),
    effect(estimates) {
      const [a, b, signed, absolute, beyondTolerance, beyondSixDecimals] = estimates;
      return {
        pairs: rows.length,
        trajectories: a!.trajectories,
        a: a!,
        b: b!,
        signed: signed!,
        absolute: absolute!,
        signDisagreement: signDisagreement(table, rows, tolerance, beyondTolerance!),
        signDisagreementSixDecimals: signDisagreement(table, rows, sixDecimals, beyondSixDecimals!),
        damage: pairedCrossings(table, rows, units, "damage"),
        repair: pairedCrossings(table, rows, units, "repair"),
      };
    },
  };
}

export function flip({ threshold }: MoveReading): PairValue {
  return (table, row) => signsDiffer(table.gainA[row]!, table.gainB[row]!, threshold);
}
