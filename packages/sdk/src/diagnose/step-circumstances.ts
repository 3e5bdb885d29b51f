import { isJsonObject, type QualityFlag, type Step, type Trajectory } from "../schema/index.ts";

/** Step type of a step without a usable `action.type`. */
const UNKNOWN_ACTION = "unknown";

/** `action.type`, what reports group by. An empty string is a type like any other. */
export function stepType(step: Step): string {
  const type = Object.hasOwn(step.action, "type") ? step.action.type : undefined;
  if (typeof type === "string") return type;
  return typeof type === "number" || typeof type === "boolean" ? String(type) : UNKNOWN_ACTION;
}

/** Flags that follow from how the step was recorded, whatever its scores are. */
export function circumstanceFlags(trajectory: Trajectory, step: Step): QualityFlag[] {
  const flags: QualityFlag[] = [];
  if (trajectory.task.candidateSpace.frozenSha256 === undefined) flags.push("unreviewed_candidates");
  if (step.discontinuity === true) flags.push("discontinuity");
  if (isTruncated(step.stateBefore) || isTruncated(step.stateAfter)) flags.push("state_truncated");
  if (trajectory.status === "partial") flags.push("partial_trajectory");
  return flags;
}

function isTruncated(state: Step["stateBefore"]): boolean {
  return state !== undefined && Object.hasOwn(state, "truncated") && isJsonObject(state.truncated);
}
