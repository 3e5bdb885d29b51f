import type { Attributes } from "@opentelemetry/api";
import { cutAt } from "./bound-json.ts";
import type { Snapshot } from "./snapshot.ts";
import type { OpenEvent, StepEnd, StepStart } from "./sink.ts";

/** Longest state text a span carries, in UTF-16 units. */
export const INLINE_LIMIT = 16_384;
/** Longest question a span carries. */
const QUESTION_LIMIT = 4096;
/** Version of the `asv.*` attribute set. */
const SCHEMA_VERSION = 1;

/** Where a reader finds the state text of a step: on the span, in the ASV JSONL, or nowhere. */
export type Carrier = "inline" | "local" | "none";

/** Attributes of an `asv.trajectory` span that are known when it starts. */
export function trajectoryAttributes(event: OpenEvent, content: boolean): Attributes {
  const { record, redaction, parentTrajectoryId } = event;
  const { question, taskId, candidateSpace } = record.task;
  const attributes: Attributes = {
    "asv.schema.version": SCHEMA_VERSION,
    "asv.trajectory.id": record.trajectoryId,
    "asv.task.id": taskId,
    "asv.redaction.policy": `${redaction.policy}/${redaction.version}`,
  };
  const digest = candidateSpace.frozenSha256;
  if (parentTrajectoryId !== undefined) attributes["asv.trajectory.parent_id"] = parentTrajectoryId;
  if (content && question !== "") attributes["asv.task.question"] = cutAt(question, QUESTION_LIMIT);
  if (digest !== undefined) attributes["asv.candidates.digest"] = digest;
  return attributes;
}

/**
 * Attributes of an `asv.step` span that are known when it starts: all but those of the after-state,
 * so that samplers see them and a lost end still tells that the step existed.
 */
export function stepStartAttributes(step: StepStart, inline: boolean): Attributes {
  const attributes: Attributes = {
    "asv.trajectory.id": step.trajectoryId,
    "asv.step.id": step.stepId,
    "asv.step.index": step.index,
    "asv.step.action": step.action.type,
    "asv.step.concurrent": step.concurrent,
  };
  const { kind, before } = step;
  if (kind !== undefined) attributes["asv.step.kind"] = kind;
  if (step.late) attributes["asv.step.late"] = true;
  if (before !== undefined) {
    attributes["asv.state.before.sha256"] = before.sha256;
    attributes["asv.state.before.length"] = before.text.length;
    if (inline && isInline(before)) attributes["asv.state.before"] = before.text;
  }
  return attributes;
}

/** Attributes of an `asv.step` span that are known when the step ends. */
export function stepEndAttributes(step: StepEnd, inline: boolean): Attributes {
  const attributes: Attributes = {
    "asv.step.commit_index": step.commitIndex,
    "asv.step.status": step.status,
  };
  const { fidelity, attempts, after } = step;
  if (step.concurrent) attributes["asv.step.concurrent"] = true;
  if (step.late) attributes["asv.step.late"] = true;
  if (fidelity !== undefined) attributes["asv.state.fidelity"] = fidelity;
  if (attempts !== undefined) attributes["asv.step.attempts"] = attempts;
  if (after !== undefined) {
    attributes["asv.state.after.sha256"] = after.sha256;
    attributes["asv.state.after.length"] = after.text.length;
    if (inline && isInline(after)) attributes["asv.state.after"] = after.text;
  }
  return attributes;
}

/** True for a state whose text may ride on a span. */
export function isInline(state: Snapshot | undefined): boolean {
  return state === undefined || state.text.length <= INLINE_LIMIT;
}
