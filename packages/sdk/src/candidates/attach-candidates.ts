import { AsvError, InvalidArgumentError, showValue } from "../errors/index.ts";
import type { CandidateSpace, Task, Trajectory } from "../schema/index.ts";
import { checkFrozen } from "./check-frozen.ts";
import { validateCandidates } from "./validate-candidates.ts";

/** A candidate set as kept apart from trajectories: for one task, or for every task with its question. */
export interface CandidateSet {
  taskId?: string;
  question: string;
  candidateSpace: CandidateSpace;
}

/** Finds the set of a task: by task id first, then, among sets without one, by question. */
export interface CandidateSetIndex {
  find(task: Pick<Task, "taskId" | "question">): CandidateSet | undefined;
}

/**
 * Index over many sets.
 *
 * @throws InvalidArgumentError when two sets claim the same task, or the same question
 */
export function indexCandidateSets(sets: Iterable<CandidateSet>): CandidateSetIndex {
  const byTask = new Map<string, CandidateSet>();
  const byQuestion = new Map<string, CandidateSet>();
  for (const set of sets) {
    const [map, key] =
      set.taskId === undefined ? ([byQuestion, set.question] as const) : ([byTask, set.taskId] as const);
    if (map.has(key)) throw new InvalidArgumentError("sets", "one set a task id or question", key);
    map.set(key, set);
  }
  return { find: (task) => byTask.get(task.taskId) ?? byQuestion.get(task.question) };
}

/**
 * A copy of the trajectory with the candidate set in its task. The set must be for this task: same
 * task id, or no task id and the same question. A trajectory captured without a question takes the
 * set's.
 *
 * @param gold reviewed target id; replaces the set's own, and stays offline
 * @throws InvalidArgumentError when set and task do not belong together or the target is not a
 * candidate; AsvError `unfrozen_candidates` when the set was changed after it was frozen
 */
export function attachCandidates(trajectory: Trajectory, set: CandidateSet, gold?: string): Trajectory {
  const { task } = trajectory;
  const question = task.question === "" ? set.question : task.question;
  if (set.taskId !== undefined && set.taskId !== task.taskId) {
    throw new InvalidArgumentError("set.taskId", `the task id ${showValue(task.taskId)}`, set.taskId);
  }
  if (set.question !== question) {
    throw new InvalidArgumentError(
      "set.question",
      "the question of the task it is attached to",
      set.question,
    );
  }
  const space = set.candidateSpace;
  validateCandidates(space.candidates, "read");
  const check = checkFrozen(space, question);
  if (!check.frozen && check.reason !== "never_frozen") {
    throw new AsvError(
      "unfrozen_candidates",
      `The candidate set of task ${showValue(task.taskId)} cannot be attached: ${check.message}. Freeze it again.`,
      { taskId: task.taskId, reason: check.reason },
    );
  }
  const target = gold ?? space.goldCandidateId;
  if (target !== undefined && !space.candidates.some(({ id }) => id === target)) {
    throw new InvalidArgumentError("gold", "the id of one of the candidates", target);
  }
  const candidateSpace = { ...space, ...(target !== undefined && { goldCandidateId: target }) };
  return { ...trajectory, task: { ...task, question, candidateSpace } };
}
