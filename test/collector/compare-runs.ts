import {
  canonicalJson,
  encodeTrajectory,
  stateSha256,
  type Step,
  type Trajectory,
} from "@agent-step-value/sdk";
import { readTrajectories } from "@agent-step-value/sdk/jsonl";

/** How runs that went a long way compare with those that stayed. All zero but the first three where nothing was lost. */
export interface Comparison {
  trajectories: number;
  steps: number;
  /** States with the digest that they had. */
  equalStates: number;
  missingTrajectories: number;
  missingSteps: number;
  /** Trajectories whose steps stand in another order. */
  reordered: number;
  missingStates: number;
  /** States with another digest. */
  changedStates: number;
  /** Trajectories and steps that were not there before. */
  strangers: number;
  /** Trajectories with a field that differs; counted only where all fields travel. */
  changedFields: number;
}

/** What has to be zero for a way that loses nothing. */
export const LOSSES = [
  "missingTrajectories",
  "missingSteps",
  "reordered",
  "missingStates",
  "changedStates",
  "strangers",
  "changedFields",
] as const satisfies (keyof Comparison)[];

/**
 * Compares two files of runs by trajectory id, step id and state digest.
 *
 * @param exact every field must be the same too; an export of stored runs carries them all, but for the
 *   candidates and the target
 */
export async function compareRuns(truthFile: string, gotFile: string, exact = false): Promise<Comparison> {
  const got = new Map<string, Trajectory>();
  for await (const run of readTrajectories([gotFile])) got.set(run.trajectoryId, run);
  const result: Comparison = {
    trajectories: 0,
    steps: 0,
    equalStates: 0,
    missingTrajectories: 0,
    missingSteps: 0,
    reordered: 0,
    missingStates: 0,
    changedStates: 0,
    strangers: 0,
    changedFields: 0,
  };
  for await (const truth of readTrajectories([truthFile])) {
    const run = got.get(truth.trajectoryId);
    got.delete(truth.trajectoryId);
    if (run === undefined) {
      result.missingTrajectories++;
      result.missingSteps += truth.steps.length;
      continue;
    }
    compareOne(truth, run, result);
    if (exact && fieldsOf(truth) !== fieldsOf(run)) result.changedFields++;
  }
  result.strangers += got.size;
  return result;
}

function fieldsOf(run: Trajectory): string {
  const { extra: { candidates_sha256: _, ...extra } = {}, task } = run;
  const candidateSpace = { type: "candidate_set", candidates: [] };
  return canonicalJson(encodeTrajectory({ ...run, task: { ...task, candidateSpace }, extra }));
}

function compareOne(truth: Trajectory, run: Trajectory, result: Comparison): void {
  result.trajectories++;
  const steps = new Map(run.steps.map((step) => [step.stepId, step]));
  const common = truth.steps.filter(({ stepId }) => steps.has(stepId)).map(({ stepId }) => stepId);
  const order = run.steps.map(({ stepId }) => stepId).filter((id) => common.includes(id));
  if (order.some((id, i) => id !== common[i])) result.reordered++;
  for (const step of truth.steps) {
    const other = steps.get(step.stepId);
    steps.delete(step.stepId);
    if (other === undefined) {
      result.missingSteps++;
      continue;
    }
    result.steps++;
    compareStates(step, other, result);
  }
  result.strangers += steps.size;
}

function compareStates(truth: Step, got: Step, result: Comparison): void {
  for (const side of ["stateBefore", "stateAfter"] as const) {
    const [before, after] = [truth[side], got[side]];
    if (before === undefined && after === undefined) continue;
    if (before === undefined) result.strangers++;
    else if (after === undefined) result.missingStates++;
    else if (stateSha256(before) === stateSha256(after)) result.equalStates++;
    else result.changedStates++;
  }
}

/** The losses of a comparison in words; empty where there are none. */
export function lossesOf(comparison: Comparison): string {
  return LOSSES.filter((name) => comparison[name] > 0)
    .map((name) => `${name} ${comparison[name]}`)
    .join(", ");
}
