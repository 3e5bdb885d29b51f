import { checkFrozen, stateSha256, type Trajectory } from "@agent-step-value/sdk";

/** What is in a set of trajectories, counted. */
export interface TrajectoryTally {
  trajectories: number;
  steps: number;
  partial: number;
  /** Steps without a before- or after-state. */
  withoutState: number;
  /** Before-states that differ from the previous after-state, by whether the step says so. */
  discontinuities: { declared: number; undeclared: number };
  frozenSets: number;
  /** Sets that carry a freeze which no longer holds: question, ids, texts or order changed, or no review. */
  brokenFreezes: number;
  withTarget: number;
  humanLabels: number;
  truncatedStates: number;
}

/** Counts trajectories one at a time. */
export function createTrajectoryTally(): { counts: TrajectoryTally; add(trajectory: Trajectory): void } {
  const counts: TrajectoryTally = {
    trajectories: 0,
    steps: 0,
    partial: 0,
    withoutState: 0,
    discontinuities: { declared: 0, undeclared: 0 },
    frozenSets: 0,
    brokenFreezes: 0,
    withTarget: 0,
    humanLabels: 0,
    truncatedStates: 0,
  };
  return { counts, add: (trajectory) => countTrajectory(counts, trajectory) };
}

function countTrajectory(counts: TrajectoryTally, { task, steps, status }: Trajectory): void {
  counts.trajectories++;
  counts.steps += steps.length;
  if (status?.startsWith("partial")) counts.partial++;
  if (checkFrozen(task.candidateSpace, task.question).frozen) counts.frozenSets++;
  else if (task.candidateSpace.frozenSha256 !== undefined) counts.brokenFreezes++;
  if (task.candidateSpace.goldCandidateId !== undefined) counts.withTarget++;
  let previous: string | undefined;
  for (const { stateBefore, stateAfter, discontinuity, label } of steps) {
    if (label !== undefined) counts.humanLabels++;
    if (stateBefore === undefined || stateAfter === undefined) counts.withoutState++;
    if (stateAfter?.["truncated"] !== undefined) counts.truncatedStates++;
    const before = stateBefore === undefined ? undefined : stateSha256(stateBefore);
    if (previous !== undefined && before !== undefined && before !== previous) {
      counts.discontinuities[discontinuity ? "declared" : "undeclared"]++;
    }
    previous = stateAfter === undefined ? undefined : stateSha256(stateAfter);
  }
}
