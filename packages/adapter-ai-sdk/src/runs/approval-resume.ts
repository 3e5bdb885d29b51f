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

/** What the SDK did with the answers: which calls it made, and which it did not. */
export function approvalAction(
  given: readonly unknown[],
  results: unknown,
  media: MediaTexts,
): { action: { type: string; calls: unknown[] }; failed: string[]; made: number } {
  const parts = partsOf(results).filter((part) => part["type"] === "tool-result");
  const outputOf = (part: Part) => (Object(part["output"]) as Part)["type"];
  const toolOf = (part: Part) => String(part["toolName"]);
  return {
    action: {
      type: "approval-resume",
      calls: parts.map((part) => ({
        tool: toolOf(part),
        args: plainValue(inputOf(given, part["toolCallId"]) ?? {}, media),
        approved: outputOf(part) !== "execution-denied",
      })),
    },
    failed: parts.filter((part) => String(outputOf(part)).startsWith("error-")).map(toolOf),
    made: parts.filter((part) => outputOf(part) !== "execution-denied").length,
  };
}
