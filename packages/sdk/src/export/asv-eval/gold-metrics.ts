import { logSumExp } from "../../math/index.ts";
import type { ByCandidate } from "../../schema/index.ts";
import { round6 } from "./python-round.ts";
import { semanticGoldDistance } from "./semantic-gold-distance.ts";

/** Below this a probability counts as this in `oracle_gold_log_likelihood_gain`. */
const ORACLE_FLOOR = 1e-12;

/** `gold_metrics` of a row, names and rounding as the Python toolkit writes them; null where undefined. */
export interface GoldMetrics {
  gold_candidate_id: string | null;
  gold_log_likelihood_gain: number | null;
  oracle_gold_log_likelihood_gain: number | null;
  gold_margin_before: number | null;
  gold_margin_after: number | null;
  gold_margin_gain: number | null;
  semantic_gold_distance_before: number | null;
  semantic_gold_distance_after: number | null;
  semantic_gold_gain: number | null;
  gold_rank_before: number | null;
  gold_rank_after: number | null;
}

/** Beliefs and log scores of a step's two states. */
export interface StepBeliefs {
  before: ByCandidate;
  after: ByCandidate;
  rawBefore: ByCandidate | undefined;
  rawAfter: ByCandidate | undefined;
}

/** All target-directed quantities; null throughout when the target is unknown or in neither belief. */
export function goldMetrics(step: StepBeliefs, gold: string | undefined): GoldMetrics {
  const { before, after } = step;
  if (gold === undefined || !Object.hasOwn(before, gold) || !Object.hasOwn(after, gold)) {
    return { ...NOTHING, gold_candidate_id: gold ?? null };
  }
  const from = before[gold]!;
  const to = after[gold]!;
  const marginBefore = logSumExpMargin(step.rawBefore, gold);
  const marginAfter = logSumExpMargin(step.rawAfter, gold);
  const distanceBefore = semanticGoldDistance(before, gold);
  const distanceAfter = semanticGoldDistance(after, gold);
  return {
    gold_candidate_id: gold,
    gold_log_likelihood_gain: from > 0 && to > 0 ? round6(Math.log(to) - Math.log(from)) : null,
    oracle_gold_log_likelihood_gain: round6(
      Math.log(Math.max(to, ORACLE_FLOOR)) - Math.log(Math.max(from, ORACLE_FLOOR)),
    ),
    gold_margin_before: marginBefore,
    gold_margin_after: marginAfter,
    gold_margin_gain: difference(marginAfter, marginBefore),
    semantic_gold_distance_before: distanceBefore,
    semantic_gold_distance_after: distanceAfter,
    semantic_gold_gain: difference(distanceBefore, distanceAfter),
    gold_rank_before: rank(before, gold),
    gold_rank_after: rank(after, gold),
  };
}

const NOTHING: GoldMetrics = {
  gold_candidate_id: null,
  gold_log_likelihood_gain: null,
  oracle_gold_log_likelihood_gain: null,
  gold_margin_before: null,
  gold_margin_after: null,
  gold_margin_gain: null,
  semantic_gold_distance_before: null,
  semantic_gold_distance_after: null,
  semantic_gold_gain: null,
  gold_rank_before: null,
  gold_rank_after: null,
};

/**
 * The toolkit's margin: ℓ(g) − ln Σ over the others of exp ℓ. It is the target's log-odds, so it is
 * positive only above even odds, where the paper's margin asks for the first place alone.
 */
function logSumExpMargin(scores: ByCandidate | undefined, gold: string): number | null {
  if (scores === undefined || !Object.hasOwn(scores, gold)) return null;
  const others = Object.entries(scores).flatMap(([id, score]) => (id === gold ? [] : [score]));
  return others.length === 0 ? null : round6(scores[gold]! - logSumExp(others));
}

/** Differences are taken of the rounded values, as the toolkit does. */
function difference(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : round6(a - b);
}

/** Place by falling probability; of equals, the one written first. */
function rank(belief: ByCandidate, gold: string): number {
  const ordered = Object.entries(belief).sort(([, a], [, b]) => b - a);
  return ordered.findIndex(([id]) => id === gold) + 1;
}
