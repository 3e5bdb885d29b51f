import { belief, type IndexedScore, type ScoreIndex } from "../../diagnose/index.ts";
import {
  candidateSetSha256,
  stateSha256,
  type ByCandidate,
  type State,
  type Step,
  type Trajectory,
} from "../../schema/index.ts";

/**
 * A trajectory with stored scores written into its steps, in the form the Python toolkit keeps them:
 * raw scores, beliefs and quality flags in place, and with several label mappings one trajectory a
 * mapping, `<id>-permutation-<b>`, since the toolkit knows no mean over mappings.
 *
 * Steps whose states are not both scored under a mapping come without beliefs.
 */
export function scoredTrajectories(
  trajectory: Trajectory,
  index: ScoreIndex,
  protocolId: string,
): Trajectory[] {
  const { task } = trajectory;
  const setSha256 = candidateSetSha256(task.question, task.candidateSpace.candidates);
  const find = (state: State | undefined) =>
    state === undefined ? [] : index.find(protocolId, task.taskId, setSha256, stateSha256(state));
  const scored = trajectory.steps.map((step) => ({
    step,
    before: find(step.stateBefore),
    after: find(step.stateAfter),
  }));
  const mappings = new Set(
    scored.flatMap(({ before, after }) => [...before, ...after].map(({ mapping }) => mapping.index)),
  );
  const under = (b: number): Step[] =>
    scored.map(({ step, before, after }) => {
      const at = (scores: readonly IndexedScore[]) => scores.find(({ mapping }) => mapping.index === b);
      return withScores(step, at(before), at(after), protocolId);
    });
  if (mappings.size <= 1) return [{ ...trajectory, steps: under([...mappings][0] ?? 0) }];
  return [...mappings]
    .sort((a, b) => a - b)
    .map((b) => ({
      ...trajectory,
      trajectoryId: `${trajectory.trajectoryId}-permutation-${b}`,
      metadata: {
        ...trajectory.metadata,
        source_trajectory_id: trajectory.trajectoryId,
        label_permutation_index: b,
      },
      steps: under(b),
    }));
}

function withScores(
  step: Step,
  before: IndexedScore | undefined,
  after: IndexedScore | undefined,
  protocolId: string,
): Step {
  const { beliefBefore: _, beliefAfter: __, rawScoresBefore: ___, rawScoresAfter: ____, ...bare } = step;
  if (before === undefined || after === undefined) return bare;
  const floored = [...new Set([...before.floored, ...after.floored])];
  const flags = new Set([...before.flags, ...after.flags]);
  return {
    ...bare,
    beliefBefore: beliefOf(before.scores),
    beliefAfter: beliefOf(after.scores),
    rawScoresBefore: before.scores,
    rawScoresAfter: after.scores,
    qualityFlags: {
      ...step.qualityFlags,
      evaluator_mode: before.evaluatorKind,
      protocol_id: protocolId,
      missing_labels: floored,
      missing_label_count: floored.length,
      used_floor_score: floored.length > 0,
      used_fallback: floored.length > 0,
      rationale_label_leakage: flags.has("label_leak"),
      rationale_gold_leakage: flags.has("gold_leak"),
    },
  };
}

function beliefOf(scores: ByCandidate): ByCandidate {
  const ids = Object.keys(scores);
  const p = belief(ids.map((id) => scores[id]!));
  return Object.fromEntries(ids.map((id, c) => [id, p[c]!]));
}
