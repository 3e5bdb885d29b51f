import type { ByCandidate } from "../schema/index.ts";

/**
 * What became of the evaluator's first choice over one step.
 *
 * - `none`: the same candidate before and after
 * - `tied`: two candidates share the first place in either state, so there is no first choice to lose
 * - `target_directed`: another candidate before, the target after
 * - `destructive`: the target before, another candidate after
 * - `between_others`: from one wrong candidate to another
 * - `untargeted`: it changed, and no target is known
 */
export type BeliefPivot =
  "none" | "tied" | "target_directed" | "destructive" | "between_others" | "untargeted";

/**
 * Reads a step by the candidate of highest belief, before and after.
 *
 * Unlike damage and repair, which only watch the target, it also sees a move between wrong candidates,
 * which the margin gain does not.
 *
 * @param before mean belief by candidate
 * @param after the same candidates
 * @param tolerance probabilities this close are tied
 */
export function beliefPivot(
  before: ByCandidate,
  after: ByCandidate,
  targetId: string | undefined,
  tolerance: number,
): BeliefPivot {
  const from = firstChoice(before, tolerance);
  const to = firstChoice(after, tolerance);
  if (from === undefined || to === undefined) return "tied";
  if (from === to) return "none";
  if (targetId === undefined) return "untargeted";
  if (to === targetId) return "target_directed";
  return from === targetId ? "destructive" : "between_others";
}

function firstChoice(belief: ByCandidate, tolerance: number): string | undefined {
  let first: string | undefined;
  let top = -Infinity;
  let second = -Infinity;
  for (const [id, p] of Object.entries(belief)) {
    if (p > top) [first, top, second] = [id, p, top];
    else if (p > second) second = p;
  }
  return top - second > tolerance ? first : undefined;
}
