import { SURPRISE_EPSILON } from "../../diagnose/index.ts";
import { softmax } from "../../math/index.ts";
import type { ByCandidate, JsonObject, Step, Trajectory } from "../../schema/index.ts";
import { beliefEntropy, beliefSurprise, jsPivotScore } from "./belief-movement.ts";
import { costScalar, type CostWeights } from "./cost-scalar.ts";
import { goldMetrics, type GoldMetrics } from "./gold-metrics.ts";
import { round6 } from "./python-round.ts";
import { asvEvalState, asvEvalStateHash } from "./state-hash.ts";

/** `asv_components` of a row: entropies in nats, 6 decimals. */
export interface AsvComponents {
  entropy_before_nats: number;
  entropy_after_nats: number;
  entropy_before_normalized: number;
  entropy_after_normalized: number;
  entropy_base: "e";
  bayesian_surprise_kl: number;
  js_pivot_score: number;
  surprise_epsilon: number;
  num_candidates: number;
  realized_entropy_reduction: number;
  normalized_entropy_reduction: number;
  cost_scalar: number;
  lambda: number;
  net_asv: number;
}

/** One row of the Python toolkit's `steps.jsonl`. */
export interface AsvEvalRow {
  trajectory_id: string;
  step_id: string;
  action: JsonObject;
  state_before_id: string;
  state_after_id: string;
  state_before_hash: string;
  state_after_hash: string;
  belief_before: ByCandidate;
  belief_after: ByCandidate;
  raw_scores_before: ByCandidate | null;
  raw_scores_after: ByCandidate | null;
  asv_components: AsvComponents;
  gold_metrics: GoldMetrics;
  quality_flags: JsonObject;
  label: string | null;
  warnings: string[];
}

export interface AsvEvalConfig {
  /** Weights of `cost_scalar`. Default all 0. */
  costWeights?: CostWeights;
  /** What cost weighs against entropy reduction in `net_asv`. Default 0. */
  lambdaCost?: number;
  /** Floor score that rows state. Default −20. */
  floorScore?: number;
}

/**
 * Rows of one trajectory, from the beliefs and raw scores stored in its steps.
 *
 * A step with raw scores alone gets its beliefs from them; a step with neither has no row, where the
 * toolkit would refuse the file. State ids count all steps, so a missing row leaves a gap.
 */
export function asvEvalRows(trajectory: Trajectory, config: AsvEvalConfig = {}): AsvEvalRow[] {
  return trajectory.steps.flatMap((step, position) => {
    const before = step.beliefBefore ?? beliefOf(step.rawScoresBefore);
    const after = step.beliefAfter ?? beliefOf(step.rawScoresAfter);
    if (before === undefined || after === undefined) return [];
    return [toRow(trajectory, step, position, { before, after }, config)];
  });
}

function toRow(
  { trajectoryId, task, steps }: Trajectory,
  step: Step,
  position: number,
  { before, after }: { before: ByCandidate; after: ByCandidate },
  config: AsvEvalConfig,
): AsvEvalRow {
  const { costWeights = {}, lambdaCost = 0, floorScore = -20 } = config;
  const { rawScoresBefore: rawBefore, rawScoresAfter: rawAfter } = step;
  const { candidates, goldCandidateId } = task.candidateSpace;
  const hash = (state: Step["stateBefore"], observed: number) =>
    asvEvalStateHash(asvEvalState(state, task, steps, observed));
  return {
    trajectory_id: trajectoryId,
    step_id: step.stepId,
    action: step.action,
    state_before_id: `state-${trajectoryId}-${position}`,
    state_after_id: `state-${trajectoryId}-${position + 1}`,
    state_before_hash: hash(step.stateBefore, position),
    state_after_hash: hash(step.stateAfter, position + 1),
    belief_before: before,
    belief_after: after,
    raw_scores_before: rawBefore ?? null,
    raw_scores_after: rawAfter ?? null,
    asv_components: components(
      before,
      after,
      candidates.length,
      costScalar(step.cost, costWeights),
      lambdaCost,
    ),
    gold_metrics: goldMetrics({ before, after, rawBefore, rawAfter }, goldCandidateId),
    quality_flags: {
      evaluator_mode: "provided_belief",
      missing_labels: [],
      used_floor_score: false,
      floor_score: floorScore,
      used_fallback: false,
      candidate_count: candidates.length,
      ...step.qualityFlags,
    },
    label: step.label ?? null,
    warnings: [],
  };
}

function components(
  before: ByCandidate,
  after: ByCandidate,
  candidates: number,
  cost: number,
  lambda: number,
): AsvComponents {
  const largest = candidates > 1 ? Math.log(candidates) : 1;
  const entropyBefore = beliefEntropy(before);
  const entropyAfter = beliefEntropy(after);
  const reduction = round6(entropyBefore - entropyAfter);
  return {
    entropy_before_nats: round6(entropyBefore),
    entropy_after_nats: round6(entropyAfter),
    entropy_before_normalized: round6(entropyBefore / largest),
    entropy_after_normalized: round6(entropyAfter / largest),
    entropy_base: "e",
    bayesian_surprise_kl: round6(beliefSurprise(before, after)),
    js_pivot_score: round6(jsPivotScore(before, after)),
    surprise_epsilon: SURPRISE_EPSILON,
    num_candidates: candidates,
    realized_entropy_reduction: reduction,
    normalized_entropy_reduction: round6(reduction / largest),
    cost_scalar: cost,
    lambda,
    net_asv: round6(reduction - lambda * cost),
  };
}

function beliefOf(scores: ByCandidate | undefined): ByCandidate | undefined {
  if (scores === undefined) return undefined;
  const ids = Object.keys(scores);
  const p = softmax(ids.map((id) => scores[id]!));
  return Object.fromEntries(ids.map((id, c) => [id, p[c]!]));
}
