import { AsvError, InvalidArgumentError, showValue } from "../errors/index.ts";
import type { CandidateSetRecord, CandidateSpace, Task, Trajectory } from "../schema/index.ts";
import { checkFrozen } from "./check-frozen.ts";
import { validateCandidates } from "./validate-candidates.ts";

/** A candidate set kept apart from trajectories, such as a {@link CandidateSetRecord} of a file. */
export interface CandidateSet extends Omit<CandidateSpace, "goldCandidateId"> {
  /** Absent in a set for every task with this question. */
  taskId?: string;
  question: string;
}

/** Finds the set of a task: by task id first, then by question. */
export interface CandidateSetIndex {
  /** @throws InvalidArgumentError when only the question can decide and several sets have it */
  find(task: Pick<Task, "taskId" | "question">): CandidateSet | undefined;
}

/**
 * Index over many sets.
 *
 * @throws InvalidArgumentError when two sets claim the same task
 */
export function indexCandidateSets(sets: Iterable<CandidateSet>): CandidateSetIndex {
  const byTask = new Map<string, CandidateSet>();
  const byQuestion = new Map<string, CandidateSet[]>();
  for (const set of sets) {
    if (set.taskId !== undefined) {
      if (byTask.has(set.taskId)) throw new InvalidArgumentError("sets", "one set a task id", set.taskId);
      byTask.set(set.taskId, set);
    }
    const same = byQuestion.get(set.question);
    if (same === undefined) byQuestion.set(set.question, [set]);
    else same.push(set);
  }
  return {
    find: ({ taskId, question }) => {
      const found = byTask.get(taskId);
      if (found !== undefined) return found;
      const same = byQuestion.get(question) ?? [];
      if (same.length > 1)
        throw new InvalidArgumentError("sets", "one set a question without a task id", question);
      return same[0];
    },
  };
}

/**
 * A copy of the trajectory with the candidate set in its task. The set must be for this task's
 * question; a trajectory captured without one takes the question of the set with its task id.
 *
 * @param gold reviewed target id; it stays offline
 * @throws InvalidArgumentError when set and task do not belong together or the target is not a
 * candidate; AsvError `unfrozen_candidates` when the set was changed after it was frozen
 */
export function attachCandidates(trajectory: Trajectory, set: CandidateSet, gold?: string): Trajectory {
  const { task } = trajectory;
  const { taskId, question, type, candidates, frozenSha256, review, labelSource, extra } = set;
  const unnamed = task.question === "" && taskId === task.taskId;
  if (question !== task.question && !unnamed) {
    throw new InvalidArgumentError(
      "set.question",
      `the question of task ${showValue(task.taskId)}`,
      question,
    );
  }
  validateCandidates(candidates, "read");
  const candidateSpace: CandidateSpace = {
    type,
    candidates,
    ...(gold !== undefined && { goldCandidateId: gold }),
    ...(frozenSha256 !== undefined && { frozenSha256 }),
    ...(review !== undefined && { review }),
    ...(labelSource !== undefined && { labelSource }),
    ...(extra !== undefined && { extra }),
  };
  const check = checkFrozen(candidateSpace, question);
  if (!check.frozen && check.reason !== "never_frozen") {
    throw new AsvError(
      "unfrozen_candidates",
      `The candidate set of task ${showValue(task.taskId)} cannot be attached: ${check.message}. Freeze it again.`,
      { taskId: task.taskId, reason: check.reason },
    );
  }
  if (gold !== undefined && !candidates.some(({ id }) => id === gold)) {
    throw new InvalidArgumentError("gold", "the id of one of the candidates", gold);
  }
  return { ...trajectory, task: { ...task, question, candidateSpace } };
}

/** A task's set as a line of a candidate-set file. The target is left out: it has a file of its own. */
export function candidateSetRecord(
  taskId: string,
  question: string,
  space: CandidateSpace,
): CandidateSetRecord {
  const { goldCandidateId: _gold, ...rest } = space;
  return { record: "candidate_set", taskId, question, ...rest };
}
