import type { CloseRecord, JsonObject, StepRecord } from "../schema/index.ts";
import type { CloseEvent, StepEnd } from "./sink.ts";

/** The record of a finished step, its states left out: they are spliced in as the text they already are. */
export function liveStepRecord(step: StepEnd): StepRecord {
  const { kind, status, fidelity, attempts, error, damaged } = step;
  const extra: JsonObject = { status, commit_index: step.commitIndex };
  if (kind !== undefined) extra["kind"] = kind;
  if (fidelity !== undefined) extra["fidelity"] = fidelity;
  if (attempts !== undefined) extra["attempts"] = attempts;
  if (error !== undefined) extra["error"] = { name: error.name, message: error.message };
  if (step.concurrent) extra["concurrent"] = true;
  if (step.late) extra["late"] = true;
  if (damaged.length > 0) extra["damaged"] = [...damaged];
  return {
    record: "step",
    trajectoryId: step.trajectoryId,
    step: {
      stepId: step.stepId,
      index: step.index,
      action: step.action,
      observation: step.observation,
      cost: step.cost,
      qualityFlags: {},
      ...(step.discontinuity && { discontinuity: true }),
      extra,
    },
    ...(step.before !== undefined && { beforeSha256: step.before.sha256 }),
    ...(step.after !== undefined && { afterSha256: step.after.sha256 }),
    redaction: step.redaction,
  };
}

/** The record that closes a trajectory. */
export function liveCloseRecord(close: CloseEvent): CloseRecord {
  const { trajectoryId, status, success, finalScore, stepCount, openSteps } = close;
  const extra: JsonObject = { step_count: stepCount };
  if (openSteps > 0) extra["open_steps"] = openSteps;
  return {
    record: "close",
    trajectoryId,
    status,
    ...(finalScore !== undefined && { finalScore }),
    ...(success !== undefined && { success }),
    extra,
  };
}
