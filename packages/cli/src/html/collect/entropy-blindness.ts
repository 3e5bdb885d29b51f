import type { BeliefPivot } from "@agent-step-value/sdk";
import type { StepPoints } from "./step-points.ts";

/** Entropy movement below which uncertainty is said not to have moved, nats. */
export const STILL_ENTROPY = 0.05;
/** Surprise from which belief is said to have moved, nats. */
export const MOVED_BELIEF = 1;

/** Kinds of pivots, by the number that stands for them in {@link StepPoints}; 0 is none. */
const PIVOTS: readonly BeliefPivot[] = [
  "none",
  "target_directed",
  "destructive",
  "between_others",
  "untargeted",
];

/** The number of a pivot; a tie before or after is none. */
export function pivotCode(pivot: BeliefPivot): number {
  return pivot === "tied" ? 0 : PIVOTS.indexOf(pivot);
}

/** Steps whose first choice changed while entropy stood still (paper section 5.2). */
export interface EntropyBlindness {
  /** Steps whose first choice changed. */
  pivots: number;
  /** Pivots with entropy movement below {@link STILL_ENTROPY} and surprise of {@link MOVED_BELIEF} or more. */
  missed: number;
  /** The missed ones by kind. */
  toTarget: number;
  fromTarget: number;
  betweenOthers: number;
  untargeted: number;
}

/** Counts pivots, and those that entropy movement alone does not show. */
export function entropyBlindness(points: StepPoints): EntropyBlindness {
  const missed = new Uint32Array(PIVOTS.length);
  let pivots = 0;
  for (let i = 0; i < points.length; i++) {
    const code = points.pivot[i]!;
    if (code === 0) continue;
    pivots++;
    const still = Math.abs(points.entropyMovement[i]!) < STILL_ENTROPY;
    if (still && points.surprise[i]! >= MOVED_BELIEF) missed[code]!++;
  }
  const [, toTarget, fromTarget, betweenOthers, untargeted] = missed as unknown as number[];
  return {
    pivots,
    missed: missed.reduce((sum, count) => sum + count, 0),
    toTarget: toTarget!,
    fromTarget: fromTarget!,
    betweenOthers: betweenOthers!,
    untargeted: untargeted!,
  };
}
