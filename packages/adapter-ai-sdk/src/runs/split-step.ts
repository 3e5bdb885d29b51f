import type { StepCapture, StepEndOptions, StepOptions } from "@agent-step-value/sdk/capture";
import type { RunStates } from "./run-states.ts";
import { contentParts, failedTools, stepAction, stepCost, waitsForApproval } from "./step-action.ts";
import type { StepResultFacts } from "./step-result.ts";

/** How many messages of a step's result the model said; the tools' results follow them. */
function saidMessages(messages: readonly unknown[]): number {
  const first = messages.findIndex((message) => (Object(message) as { role?: unknown }).role === "tool");
  return first < 0 ? messages.length : first;
}

/**
 * Writes a result of the SDK as two steps: the model call, and the tools that it asked for.
 *
 * @param toolsStarted when the first of them was called
 * @returns false where there is nothing to split
 */
export function splitStep(
  step: StepCapture,
  facts: StepResultFacts,
  states: RunStates,
  toolsStarted: number | undefined,
): boolean {
  const base = states.messages;
  if (base === undefined || facts.messages === undefined || facts.finishReason === "error") return false;
  const said = saidMessages(facts.messages);
  if (said === 0 || said === facts.messages.length) return false;
  const parts = contentParts(facts.content);
  const between = states.reach([...base, ...facts.messages.slice(0, said)]);
  const end: StepEndOptions = {
    fidelity: between === undefined ? "unknown" : "step-result",
    cost: stepCost(facts.usage, 0),
  };
  if (facts.finishReason !== undefined) end.action = { finish_reason: facts.finishReason };
  if (between !== undefined) end.after = between;
  if (toolsStarted !== undefined) end.endTime = toolsStarted;
  step.end(end);

  const action = stepAction(parts, undefined, states.media) as StepOptions["action"];
  const begin: StepOptions = { action, kind: "tool" };
  if (between !== undefined) begin.before = between;
  if (toolsStarted !== undefined) begin.startTime = toolsStarted;
  const tools = states.trajectory.step(begin);
  const after = states.reach([...base, ...facts.messages]);
  const toolEnd: StepEndOptions = {
    fidelity: after === undefined ? "unknown" : "step-result",
    status: waitsForApproval(parts) ? "interrupted" : "ok",
    cost: stepCost(undefined, parts.calls.length),
  };
  const observation = failedTools(parts);
  if (after !== undefined) toolEnd.after = after;
  if (observation !== undefined) toolEnd.observation = observation;
  tools.end(toolEnd);
  return true;
}
