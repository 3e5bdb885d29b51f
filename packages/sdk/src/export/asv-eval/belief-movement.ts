import { SURPRISE_EPSILON } from "../../diagnose/index.ts";
import { jensenShannon, klDivergence } from "../../math/index.ts";
import type { ByCandidate } from "../../schema/index.ts";
import { compareCodePoints } from "./python-json.ts";

/** H(p) as the toolkit computes it: −Σ p ln p, which is −0 and not 0 for a certain belief. */
export function beliefEntropy(belief: ByCandidate): number {
  let sum = 0;
  for (const p of Object.values(belief)) if (p > 0) sum += p * Math.log(p);
  return -sum;
}

/** The two beliefs of a step over all candidates either names, clipped, renormalised and smoothed. */
function smoothedPair(before: ByCandidate, after: ByCandidate): { before: number[]; after: number[] } {
  const ids = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort(compareCodePoints);
  return { before: smoothed(before, ids), after: smoothed(after, ids) };
}

/** `bayesian_surprise_kl`, unrounded. */
export function beliefSurprise(before: ByCandidate, after: ByCandidate): number {
  const pair = smoothedPair(before, after);
  return klDivergence(pair.after, pair.before);
}

/** `js_pivot_score`, unrounded. */
export function jsPivotScore(before: ByCandidate, after: ByCandidate): number {
  const pair = smoothedPair(before, after);
  return jensenShannon(pair.after, pair.before);
}

function smoothed(belief: ByCandidate, ids: readonly string[]): number[] {
  const clipped = ids.map((id) => (Object.hasOwn(belief, id) ? Math.max(belief[id]!, 0) : 0));
  const total = clipped.reduce((sum, value) => sum + value, 0);
  const uniform = 1 / ids.length;
  if (total <= 0) return ids.map(() => uniform);
  return clipped.map((value) => (1 - SURPRISE_EPSILON) * (value / total) + SURPRISE_EPSILON * uniform);
}
