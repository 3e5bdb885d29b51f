import {
  candidateSetSha256,
  createScoreIndex,
  defineProtocol,
  diagnoseTrajectory,
  protocols,
  stateSha256,
  type ByCandidate,
  type DiagnosedStep,
  type Evaluator,
  type Trajectory,
} from "@agent-step-value/sdk";
import { score, type ScoreCache } from "@agent-step-value/sdk/score";

/** Everything measured on one set of trajectories. */
export interface Measured {
  trajectories: readonly Trajectory[];
  /** One list of steps a trajectory. */
  steps: DiagnosedStep[][];
  /** Log scores of each trajectory's last state, one a label mapping. */
  finalScores: ByCandidate[][];
}

/** Scores all states under the direct protocol and diagnoses all steps. */
export async function measure(
  trajectories: readonly Trajectory[],
  evaluator: Evaluator,
  cache: ScoreCache,
): Promise<Measured> {
  const protocol = defineProtocol({ ...protocols.direct, evaluator: evaluator.settings });
  const index = createScoreIndex();
  for await (const record of score(trajectories, { protocol, evaluator, cache })) index.add(record);
  return {
    trajectories,
    steps: trajectories.map((trajectory) => diagnoseTrajectory(trajectory, index)),
    finalScores: trajectories.map(({ task, steps }) => {
      const set = candidateSetSha256(task.question, task.candidateSpace.candidates);
      const last = stateSha256(steps.at(-1)!.stateAfter!);
      return index.find(protocol.id, task.taskId, set, last).map(({ scores }) => scores);
    }),
  };
}
