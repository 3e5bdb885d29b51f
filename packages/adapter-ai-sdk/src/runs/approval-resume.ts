import type { StepEndOptions, StepOptions } from "@agent-step-value/sdk/capture";
import { plainValue } from "../projection/plain-text.ts";
import { answersApproval } from "./approval-links.ts";
import type { RunStates } from "./run-states.ts";

type Part = Readonly<Record<string, unknown>>;

function partsOf(message: unknown): Part[] {
  const { content } = Object(message) as { content?: unknown };
  return Array.isArray(content)
    ? content.filter((part): part is Part => typeof part === "object" && part !== null)
    : [];
}

/**
 * The message with the results of calls that were approved or denied, which the SDK puts behind the given
 * ones before the first step; undefined where there is none.
 */
function approvalResults(given: readonly unknown[], messages: readonly unknown[]): unknown {
  if (!answersApproval(given) || messages.length !== given.length + 1) return undefined;
  const added = messages.at(-1);
  return (Object(added) as Part)["role"] === "tool" ? added : undefined;
}

function inputOf(given: readonly unknown[], toolCallId: unknown): unknown {
  for (const message of given.toReversed()) {
    const call = partsOf(message).find(
      (part) => part["type"] === "tool-call" && part["toolCallId"] === toolCallId,
    );
    if (call !== undefined) return call["input"];
  }
  return undefined;
}

function outputType(part: Part): unknown {
  return (Object(part["output"]) as Part)["type"];
}

/**
 * Writes the transition that the SDK made of the caller's answers before its first step, if it did: which
 * calls it made, and which it did not.
 *
 * @param given the conversation the call was given
 * @param messages the one its first step was given
 */
export function writeApprovalResume(
  states: RunStates,
  given: readonly unknown[],
  messages: readonly unknown[],
  startTime: number,
): void {
  const results = approvalResults(given, messages);
  if (results === undefined) return;
  const before = states.reach(given);
  const after = states.reach(messages);
  const parts = partsOf(results).filter((part) => part["type"] === "tool-result");
  const calls = parts.map((part) => ({
    tool: String(part["toolName"]),
    args: plainValue(inputOf(given, part["toolCallId"]) ?? {}, states.media),
    approved: outputType(part) !== "execution-denied",
  }));
  const begin: StepOptions = {
    action: { type: "approval-resume", calls },
    kind: "approval-resume",
    startTime,
  };
  if (before !== undefined) begin.before = before;
  const end: StepEndOptions = { fidelity: after === undefined ? "unknown" : "next-input" };
  if (after !== undefined) end.after = after;
  const failed = parts.filter((part) => String(outputType(part)).startsWith("error-"));
  if (failed.length > 0) end.observation = { failed_tools: failed.map((part) => String(part["toolName"])) };
  const made = calls.filter(({ approved }) => approved).length;
  if (made > 0) end.cost = { tool_calls: made };
  states.trajectory.step(begin).end(end);
}
