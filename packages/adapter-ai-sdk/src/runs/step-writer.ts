import {
  SAME_AS_BEFORE,
  type Snapshot,
  type StepCapture,
  type StepEndOptions,
  type StepOptions,
  type TrajectoryCapture,
} from "@agent-step-value/sdk/capture";
import type { MediaTexts } from "../projection/media-texts.ts";
import { contentParts, failedTools, stepAction, stepCost, waitsForApproval } from "./step-action.ts";
import type { StepResultFacts } from "./step-result.ts";

/**
 * How an after-state was come by. The first three are exact.
 *
 * | fidelity | after-state |
 * | --- | --- |
 * | `step-result` | before-state and the messages the SDK gave with the step's result |
 * | `next-input` | what the next step was given |
 * | `run-output` | before-state and what the call returned |
 * | `aborted` | the before-state: the step failed or was cancelled |
 * | `abandoned` | the before-state: nobody read on, or nothing more was heard of the run |
 * | `unknown` | none: the SDK did not tell; the step cannot be scored |
 */
export type Fidelity = "step-result" | "next-input" | "run-output" | "aborted" | "abandoned" | "unknown";

/** Something that was thrown, which may be undefined. */
export interface Thrown {
  readonly value: unknown;
}

/** Begins the step of a model call. What it does besides is known when it ends. */
export function beginStep(
  trajectory: TrajectoryCapture,
  before: Snapshot | undefined,
  systemPrompt: string | undefined,
): StepCapture {
  const options: StepOptions = { action: { type: "model" }, kind: "llm" };
  if (systemPrompt !== undefined) options.action = { type: "model", system_prompt: systemPrompt };
  if (before !== undefined) options.before = before;
  return trajectory.step(options);
}

/** Ends a step that gave a result. */
export function endStep(
  step: StepCapture,
  facts: StepResultFacts,
  outcome: { after: Snapshot | undefined; fidelity: Fidelity; error: Thrown | undefined },
  media: MediaTexts,
): void {
  const { after, fidelity, error } = outcome;
  const parts = contentParts(facts.content);
  const failed = facts.finishReason === "error";
  const end: StepEndOptions = {
    status: failed ? "error" : waitsForApproval(parts) ? "interrupted" : "ok",
    fidelity: after === undefined ? "unknown" : fidelity,
    action: stepAction(parts, facts.finishReason, media),
    cost: stepCost(facts.usage, parts.calls.length),
  };
  const observation = failedTools(parts);
  if (after !== undefined) end.after = after;
  if (observation !== undefined) end.observation = observation;
  if (failed && error !== undefined) end.error = error.value;
  step.end(end);
}

/** Ends a step that gave none. As far as is known it changed nothing. */
export function cutStep(
  step: StepCapture,
  status: "ok" | "error" | "cancelled",
  fidelity: "aborted" | "abandoned" | "unknown",
  partialText: string,
  error: Thrown | undefined,
): void {
  const end: StepEndOptions = { status, fidelity };
  if (fidelity !== "unknown") end.after = SAME_AS_BEFORE;
  if (partialText !== "") end.observation = { partial_text: partialText };
  if (status === "error" && error !== undefined) end.error = error.value;
  step.end(end);
}
