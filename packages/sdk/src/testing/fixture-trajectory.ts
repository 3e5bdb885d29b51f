import { freezeCandidates, newCandidateSet } from "../candidates/index.ts";
import {
  TRAJECTORY_SCHEMA,
  type Block,
  type CandidateSpace,
  type State,
  type Trajectory,
} from "../schema/index.ts";

/** What {@link fixtureTrajectory} is told; everything has a default. */
export interface FixtureOptions {
  trajectoryId?: string;
  taskId?: string;
  question?: string;
  /** Number of steps; they chain, so there is one state more. Default 3. */
  steps?: number;
  /** Texts of the concrete answers. Default: three. */
  answers?: readonly string[];
  /** False leaves the set unfrozen. Default true. */
  frozen?: boolean;
  /** Replaces the states; step i goes from state i to state i + 1. */
  states?: readonly State[];
}

/** A small made-up trajectory whose state grows by one evidence block a step. */
export function fixtureTrajectory(options: FixtureOptions = {}): Trajectory {
  const { trajectoryId = "trajectory-1", question = "Does the tide gauge at Port Ellery read high?" } =
    options;
  const { steps = 3, frozen = true, taskId = `task of ${trajectoryId}` } = options;
  const states = options.states ?? growingStates(question, steps);
  const answers = options.answers ?? ["The gauge reads high.", "The gauge reads low.", "The gauge is exact."];
  const space: CandidateSpace = {
    ...newCandidateSet("closed", { answers, target: 0 }),
    labelSource: "fixture",
  };
  return {
    schemaVersion: TRAJECTORY_SCHEMA,
    trajectoryId,
    sourceAdapter: "fixture",
    metadata: {},
    task: {
      taskId,
      question,
      taskType: "closed_set_qa",
      goldVisibleToEvaluator: false,
      goldUsedOnlyForValidation: true,
      candidateSpace: frozen ? freezeCandidates(space, question) : space,
    },
    steps: states.slice(1).map((stateAfter, i) => ({
      stepId: `step-${i + 1}`,
      index: i,
      action: { type: "search" },
      observation: {},
      stateBefore: states[i]!,
      stateAfter,
      cost: {},
      qualityFlags: {},
    })),
  };
}

function growingStates(question: string, steps: number): State[] {
  const blocks: Block[] = [{ kind: "task", text: question }];
  return Array.from({ length: steps + 1 }, (_, i) => {
    if (i > 0)
      blocks.push({ kind: "evidence", name: "search", text: `Reading ${i}: ${i * 3} mm above datum.` });
    return { blocks: blocks.map((block) => ({ ...block })) } as unknown as State;
  });
}
