import {
  SAME_AS_BEFORE,
  type Snapshot,
  type StepCapture,
  type TrajectoryCapture,
} from "@agent-step-value/sdk/capture";
import type { ParallelMode } from "./capture-context.ts";
import type { GraphTask } from "./graph-task.ts";
import { superstepAction, superstepCost, superstepKind, superstepObservation } from "./superstep-action.ts";
import type { Superstep } from "./superstep.ts";

/**
 * How an after-state was come by, best first. All but `update-only` are exact; the last two stand for
 * steps that had no effect on the state.
 *
 * | fidelity | after-state |
 * | --- | --- |
 * | `next-input` | what the next node was given |
 * | `branch-input` | what a conditional edge was decided on |
 * | `run-output` | what the graph returned |
 * | `values-tap` | what LangGraph's `values` stream told |
 * | `update-only` | before-state and the node's update put together: an estimate |
 * | `aborted` | the before-state: the step failed or was cancelled, nothing was written |
 * | `abandoned` | the before-state: nothing more was heard of the run |
 */
export type Fidelity =
  "next-input" | "branch-input" | "run-output" | "values-tap" | "update-only" | "aborted" | "abandoned";

export interface StepEnding {
  /** Absent where the state did not change. */
  readonly after?: Snapshot | undefined;
  readonly fidelity: Fidelity;
  readonly status: "ok" | "error" | "cancelled" | "interrupted";
  readonly error?: unknown;
}

function beginWith(
  trajectory: TrajectoryCapture,
  tasks: readonly GraphTask[],
  before: Snapshot | undefined,
  startTime: number,
): StepCapture {
  return trajectory.step({
    action: superstepAction(tasks),
    kind: superstepKind(tasks),
    startTime,
    ...(before !== undefined && { before }),
  });
}

function endWith(
  step: StepCapture,
  tasks: readonly GraphTask[],
  ending: StepEnding,
  endTime: number,
  late = {},
): void {
  const retries = Math.max(...tasks.map((task) => task.retries));
  const observation = superstepObservation(tasks);
  step.end({
    after: ending.after ?? SAME_AS_BEFORE,
    cost: superstepCost(tasks),
    status: ending.status,
    fidelity: ending.fidelity,
    endTime,
    ...(observation !== undefined && { observation }),
    ...(ending.error !== undefined && { error: ending.error }),
    ...(retries > 0 && { attempts: retries + 1 }),
    ...late,
  });
}

/** Begins the step of a superstep before its end, for a trajectory that runs inside it. */
export function beginStep(trajectory: TrajectoryCapture, superstep: Superstep): StepCapture {
  const { before, tasks, startTime } = superstep;
  superstep.begun ??= beginWith(trajectory, tasks, before?.snapshot, startTime);
  return superstep.begun;
}

/** Writes a superstep whose after-state is known: as one step, or as one step a task. */
export function writeSuperstep(
  trajectory: TrajectoryCapture,
  superstep: Superstep,
  ending: StepEnding,
  parallel: ParallelMode,
): void {
  const { tasks, begun, startTime, endTime } = superstep;
  const before = superstep.before?.snapshot;
  // What a step that was begun early did is only known now.
  if (begun !== undefined) return endWith(begun, tasks, ending, endTime, { action: superstepAction(tasks) });
  const parts = parallel === "split" ? tasks.map((task) => [task]) : [tasks];
  for (const part of parts) {
    const [only] = part;
    const alone = part.length === 1 && only !== undefined;
    const step = beginWith(trajectory, part, before, alone ? only.startTime : startTime);
    endWith(step, part, ending, alone ? only.endTime : endTime);
  }
}
