import {
  SAME_AS_BEFORE,
  type Snapshot,
  type StepCapture,
  type TrajectoryCapture,
} from "@agent-step-value/sdk/capture";
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

/** How parallel tasks become steps: one compound step, or one step a task. */
export type ParallelMode = "compound" | "split";

export interface StepEnding {
  /** Absent where the state did not change. */
  readonly after?: Snapshot | undefined;
  readonly fidelity: Fidelity;
  readonly status: "ok" | "error" | "cancelled" | "interrupted";
  readonly error?: unknown;
}

function stepFields(tasks: readonly GraphTask[], before: Snapshot | undefined, startTime: number) {
  return {
    action: superstepAction(tasks),
    kind: superstepKind(tasks),
    startTime,
    ...(before !== undefined && { before }),
  };
}

function endStep(step: StepCapture, tasks: readonly GraphTask[], ending: StepEnding, endTime: number): void {
  const retries = Math.max(...tasks.map((task) => task.retries));
  const observation = superstepObservation(tasks);
  step.end({
    after: ending.after ?? SAME_AS_BEFORE,
    action: superstepAction(tasks),
    cost: superstepCost(tasks),
    status: ending.status,
    fidelity: ending.fidelity,
    endTime,
    ...(observation !== undefined && { observation }),
    ...(ending.error !== undefined && { error: ending.error }),
    ...(retries > 0 && { attempts: retries + 1 }),
  });
}

/** Begins the step of a superstep before its end, for a trajectory that runs inside it. */
export function beginStep(trajectory: TrajectoryCapture, superstep: Superstep): StepCapture {
  superstep.begun ??= trajectory.step(
    stepFields(superstep.tasks, superstep.before?.snapshot, superstep.startTime),
  );
  return superstep.begun;
}

/** Writes a superstep whose after-state is known: as one step, or as one step a task. */
export function writeSuperstep(
  trajectory: TrajectoryCapture,
  superstep: Superstep,
  ending: StepEnding,
  parallel: ParallelMode,
): void {
  const { tasks } = superstep;
  const before = superstep.before?.snapshot;
  if (parallel === "compound" || tasks.length === 1 || superstep.begun !== undefined) {
    const step = superstep.begun ?? trajectory.step(stepFields(tasks, before, superstep.startTime));
    endStep(step, tasks, ending, superstep.endTime);
    return;
  }
  for (const task of tasks) {
    const step = trajectory.step(stepFields([task], before, task.startTime));
    endStep(step, [task], ending, task.endTime);
  }
}
