import { showValue } from "../../errors/index.ts";
import type { ByCandidate, Candidate, Step, Task } from "../trajectory.ts";

/** Throws the error of the record that holds the field. */
export type Fail = (path: string, problem: string, position?: number) => never;

/** Ids of the candidates, or undefined where there are none to check against. */
export type CandidateIds = ReadonlySet<string> | undefined;

/** Candidate ids must differ. */
export function checkCandidates(candidates: readonly Candidate[], path: string, fail: Fail): CandidateIds {
  const ids = new Set<string>();
  for (let i = 0; i < candidates.length; i++) {
    const { id } = candidates[i]!;
    if (ids.has(id)) fail(`${path}[${i}].id`, `repeats the candidate id ${showValue(id)}`);
    ids.add(id);
  }
  return ids.size === 0 ? undefined : ids;
}

/** Candidate ids must differ and hold the target, where both are given. */
export function checkTask(task: Task, path: string, fail: Fail): CandidateIds {
  const { candidates, goldCandidateId } = task.candidateSpace;
  const ids = checkCandidates(candidates, `${path}.candidate_space.candidates`, fail);
  if (ids !== undefined && goldCandidateId !== undefined && !ids.has(goldCandidateId)) {
    const problem = `must be the id of a candidate, got ${showValue(goldCandidateId)}`;
    fail(`${path}.candidate_space.gold_candidate_id`, problem);
  }
  return ids;
}

/**
 * Step ids must differ, and beliefs and scores may name candidates only.
 *
 * @param pathOf how the path of the step at a position begins, with its dot
 */
export function checkSteps(
  steps: readonly Step[],
  ids: CandidateIds,
  pathOf: (position: number) => string,
  fail: Fail,
): void {
  const seen = new Set<string>();
  for (let i = 0; i < steps.length; i++) {
    const step = steps[i]!;
    if (seen.has(step.stepId))
      fail(`${pathOf(i)}step_id`, `repeats the step id ${showValue(step.stepId)}`, i);
    seen.add(step.stepId);
    if (ids === undefined) continue;
    const stranger = strangerIn(step, ids);
    if (stranger !== undefined) {
      fail(`${pathOf(i)}${stranger.field}`, `names ${showValue(stranger.id)}, which is not a candidate`, i);
    }
  }
}

function strangerIn(step: Step, ids: ReadonlySet<string>): { field: string; id: string } | undefined {
  const maps: [string, ByCandidate | undefined][] = [
    ["belief_before", step.beliefBefore],
    ["belief_after", step.beliefAfter],
    ["raw_scores_before", step.rawScoresBefore],
    ["raw_scores_after", step.rawScoresAfter],
  ];
  for (const [field, map] of maps) for (const id in map) if (!ids.has(id)) return { field, id };
  return undefined;
}
