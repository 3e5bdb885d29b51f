import type { OpenInterval } from "../schema/index.ts";

/** One state under one label mapping, with what is known about its floored candidates. */
export interface FlooredScores {
  /** ℓ by candidate, floors included. */
  scores: readonly number[];
  /** True for each candidate whose label was absent; undefined when none was. */
  floored?: readonly boolean[];
  /** Highest log score an absent label can have had; undefined when nothing is known. */
  bound?: number | undefined;
}

/**
 * Where the margin gain can lie when each floored score is only known to be somewhere in
 * (−∞, bound], or anywhere where no bound is known.
 *
 * Ends that stay open are absent. The reported gain itself can lie outside: a constant floor score
 * above the bound claims more for an absent label than it can have had.
 *
 * @param before one entry a mapping
 * @param after same mappings in the same order
 * @param target position of the target
 * @returns nats
 */
export function floorInterval(
  before: readonly FlooredScores[],
  after: readonly FlooredScores[],
  target: number,
): OpenInterval {
  let low = 0;
  let high = 0;
  for (let b = 0; b < before.length; b++) {
    const from = marginRange(before[b]!, target);
    const to = marginRange(after[b]!, target);
    low += to.low - from.high;
    high += to.high - from.low;
  }
  const interval: OpenInterval = {};
  if (Number.isFinite(low)) interval.low = low / before.length;
  if (Number.isFinite(high)) interval.high = high / before.length;
  return interval;
}

/** The margin is lowest with the target at its lowest and every other candidate at its highest. */
function marginRange(state: FlooredScores, target: number): { low: number; high: number } {
  const top = state.bound ?? Infinity;
  let othersLow = -Infinity;
  let othersHigh = -Infinity;
  state.scores.forEach((score, c) => {
    if (c === target) return;
    const isFloored = state.floored?.[c] === true;
    if (!isFloored && score > othersLow) othersLow = score;
    const highest = isFloored ? top : score;
    if (highest > othersHigh) othersHigh = highest;
  });
  const targetFloored = state.floored?.[target] === true;
  const targetLow = targetFloored ? -Infinity : state.scores[target]!;
  const targetHigh = targetFloored ? top : state.scores[target]!;
  return { low: spread(targetLow, othersHigh), high: -spread(othersLow, targetHigh) };
}

/** a − b where both may be infinite; open on both sides means nothing is known: −∞. */
function spread(a: number, b: number): number {
  return a === -Infinity || b === Infinity ? -Infinity : a - b;
}
