import {
  candidateSetSha256,
  isJsonObject,
  type QualityFlag,
  type Step,
  type Trajectory,
} from "../schema/index.ts";

/** Step type of a step without a usable `action.type`. */
const UNKNOWN_ACTION = "unknown";

/** `action.type`, what reports group by. An empty string is a type like any other. */
export function stepType(step: Step): string {
  const type = Object.hasOwn(step.action, "type") ? step.action.type : undefined;
  if (typeof type === "string") return type;
  return typeof type === "number" || typeof type === "boolean" ? String(type) : UNKNOWN_ACTION;
}

/** Flags that follow from how the run and its candidates were recorded, for every step alike. */
export function trajectoryFlags({ task, status }: Trajectory): QualityFlag[] {
  const flags: QualityFlag[] = [];
  const { frozenSha256, candidates } = task.candidateSpace;
  // A set that was changed after its review is as good as unreviewed.
  if (frozenSha256 === undefined || frozenSha256 !== candidateSetSha256(task.question, candidates)) {
    flags.push("unreviewed_candidates");
  }
  if (status === "partial") flags.push("partial_trajectory");
  return flags;
}

/** Flags that follow from how one step was recorded. */
export function stepFlags(step: Step): QualityFlag[] {
  const flags: QualityFlag[] = [];
  if (step.discontinuity === true) flags.push("discontinuity");
  if (isTruncated(step.stateBefore) || isTruncated(step.stateAfter)) flags.push("state_truncated");
  return flags;
}

function isTruncated(state: Step["stateBefore"]): boolean {
  return state !== undefined && Object.hasOwn(state, "truncated") && isJsonObject(state.truncated);
}
