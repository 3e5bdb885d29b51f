import type { Snapshot, StepEndOptions, StepOptions, TrajectoryCapture } from "@agent-step-value/sdk/capture";
import type { MediaTexts } from "../projection/media-texts.ts";
import { plainValue } from "../projection/plain-text.ts";
import { answersApproval } from "./approval-links.ts";

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
export function approvalResults(given: readonly unknown[], messages: readonly unknown[]): unknown {
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
 * Writes the transition that the SDK made of the answers, before its first step: which calls it made, and
 * which it did not.
 */
export function writeApprovalResume(
  trajectory: TrajectoryCapture,
  given: readonly unknown[],
  results: unknown,
  states: { before: Snapshot | undefined; after: Snapshot | undefined; startTime: number },
  media: MediaTexts,
): void {
  const { before, after, startTime } = states;
  const parts = partsOf(results).filter((part) => part["type"] === "tool-result");
  const calls = parts.map((part) => ({
    tool: String(part["toolName"]),
    args: plainValue(inputOf(given, part["toolCallId"]) ?? {}, media),
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
  trajectory.step(begin).end(end);
}
