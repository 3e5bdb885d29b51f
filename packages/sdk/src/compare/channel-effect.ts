import type { Estimate } from "../summarize/index.ts";
import type { EstimateRequest } from "../summarize/estimates.ts";
import type { ChannelEffect } from "./channel-comparison.ts";
import type { PairTable } from "./pair-columns.ts";
import { absoluteEffect, gainA, gainB, pairRequest, signedEffect, type PairValue } from "./pair-requests.ts";
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
  const request = (value: PairValue) => pairRequest(table, rows, units, value);
  return {
    rows,
    requests: [
      request(gainA),
      request(gainB),
      request(signedEffect),
      request(absoluteEffect),
      request(flip(tolerance)),
      request(flip(sixDecimals)),
    ],
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
        damage: pairedCrossings(table, rows, "damage"),
        repair: pairedCrossings(table, rows, "repair"),
      };
    },
  };
}

export function flip({ threshold }: MoveReading): PairValue {
  return (table, row) => signsDiffer(table.gainA[row]!, table.gainB[row]!, threshold);
}
