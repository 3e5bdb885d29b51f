import {
  candidateSetSha256,
  stateSha256,
  type DiagnosedStep,
  type JsonObject,
  type State,
  type Step,
  type Trajectory,
} from "@agent-step-value/sdk";
import { trajectoryRow } from "../../report/tables.ts";
import { chooseSteps } from "./choose-steps.ts";
import type { HumanVerdict, RunView, StepView } from "./run-view.ts";
import { shownStates, type ShownStates } from "./shown-states.ts";
import { stateDifference } from "./state-difference.ts";

/** One run and what was measured of it. */
export interface MeasuredRun {
  trajectory: Trajectory;
  /** One a step of the trajectory, in its order. */
  steps: readonly DiagnosedStep[];
  /** The same in further channels. */
  others: readonly (readonly DiagnosedStep[])[];
}

/** What a report shows of a run. */
export function runOf({ trajectory, steps, others }: MeasuredRun, number: number): RunView {
  const shown = shownStates();
  const { task, status, success } = trajectory;
  const first = trajectory.steps[0]?.stateBefore;
  const target = task.candidateSpace.goldCandidateId;
  return {
    number,
    trajectoryId: trajectory.trajectoryId,
    taskId: task.taskId,
    candidateSetSha256: candidateSetSha256(task.question, task.candidateSpace.candidates),
    question: shown.text(task.question),
    candidates: task.candidateSpace.candidates.map(({ id, text }) => ({
      id,
      text: shown.text(text),
      isTarget: id === target,
    })),
    ...(status !== undefined && { status }),
    ...(success !== undefined && { success }),
    initial: first === undefined ? [] : shown.blocks(first),
    ...(first !== undefined && { initialSha256: stateSha256(first) }),
    steps: chooseSteps(steps).map((place) => stepOf(trajectory, place, steps, others, shown)),
    totals: trajectoryRow(trajectory.trajectoryId, status, steps),
  };
}

function stepOf(
  trajectory: Trajectory,
  place: number,
  steps: readonly DiagnosedStep[],
  others: readonly (readonly DiagnosedStep[])[],
  shown: ShownStates,
): StepView {
  const step = trajectory.steps[place]!;
  const { stateBefore, stateAfter } = step;
  const previous = trajectory.steps[place - 1]?.stateAfter;
  const measured = steps[place]!;
  const action = argumentsOf(step, shown);
  const verdict = verdictOf(step, measured, shown);
  const change = changeOf(stateBefore, stateAfter, shown);
  const between = measured.flags.includes("discontinuity") && changeOf(previous, stateBefore, shown);
  return {
    place,
    measured,
    inOthers: others.map((channel) => channel[place]),
    ...(action !== undefined && { action }),
    ...(verdict !== undefined && { verdict }),
    ...(change !== undefined && { change }),
    ...(between && { between }),
    ...(stateBefore !== undefined && { beforeSha256: stateSha256(stateBefore) }),
    ...(stateAfter !== undefined && { afterSha256: stateSha256(stateAfter) }),
  };
}

function changeOf(before: State | undefined, after: State | undefined, shown: ShownStates) {
  if (before === undefined || after === undefined) return undefined;
  return stateDifference(shown.blocks(before), shown.blocks(after));
}

function argumentsOf({ action }: Step, shown: ShownStates): string | undefined {
  const { type: _, ...rest } = action as JsonObject;
  return Object.keys(rest).length === 0 ? undefined : shown.fields(rest);
}

/** The label as measured, so that labels left out of the statistics are left out here. */
function verdictOf(step: Step, { label }: DiagnosedStep, shown: ShownStates): HumanVerdict | undefined {
  if (label === undefined) return undefined;
  const note = step.extra?.["label_note"];
  return {
    label: shown.text(label),
    ...(step.labelSource !== undefined && { source: shown.text(step.labelSource) }),
    ...(typeof note === "string" && { note: shown.text(note) }),
  };
}
