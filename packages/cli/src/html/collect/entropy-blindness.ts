import type { StepPoints } from "./step-points.ts";

/** Entropy movement below which uncertainty is said not to have moved, nats. */
export const STILL_ENTROPY = 0.05;
/** Surprise from which belief is said to have moved, nats. */
export const MOVED_BELIEF = 1;

/** Steps whose belief changed sides while its entropy stood still (paper section 5.2). */
export interface EntropyBlindness {
  /** Steps whose first choice changed. */
  pivots: number;
  /** Pivots with entropy movement below {@link STILL_ENTROPY} and surprise of {@link MOVED_BELIEF} or more. */
  missed: number;
  /** The missed ones by the sign of their margin gain; `unknown` have none. */
  toward: number;
  away: number;
  unmoved: number;
  unknown: number;
}

/** Counts pivots, and those that entropy movement alone does not show. */
export function entropyBlindness(points: StepPoints, zeroTolerance: number): EntropyBlindness {
  const found: EntropyBlindness = { pivots: 0, missed: 0, toward: 0, away: 0, unmoved: 0, unknown: 0 };
  for (let i = 0; i < points.length; i++) {
    if (points.pivot[i] === 0) continue;
    found.pivots++;
    const still = Math.abs(points.entropyMovement[i]!) < STILL_ENTROPY;
    if (!still || points.surprise[i]! < MOVED_BELIEF) continue;
    found.missed++;
    const gain = points.marginGain[i]!;
    if (Number.isNaN(gain)) found.unknown++;
    else if (gain > zeroTolerance) found.toward++;
    else if (gain < -zeroTolerance) found.away++;
    else found.unmoved++;
  }
  return found;
}
