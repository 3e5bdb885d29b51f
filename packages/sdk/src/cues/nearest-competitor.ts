import type { ByCandidate, Candidate } from "../schema/index.ts";

/** Beliefs this close are tied. */
const TIE = 1e-12;

/**
 * The candidate other than the target with the highest belief. Near one-hot beliefs leave the others at
 * almost nothing, where their order can be chance; equal ones are called tied.
 */
export function nearestCompetitor(
  belief: ByCandidate,
  candidates: readonly Candidate[],
  targetId: string,
): { competitor: Candidate; tied: boolean } | undefined {
  let competitor: Candidate | undefined;
  let top = -Infinity;
  let tied = false;
  for (const candidate of candidates) {
    if (candidate.id === targetId || !Object.hasOwn(belief, candidate.id)) continue;
    const p = belief[candidate.id]!;
    if (p > top + TIE) [competitor, top, tied] = [candidate, p, false];
    else if (p >= top - TIE) tied = true;
  }
  return competitor === undefined ? undefined : { competitor, tied };
}
