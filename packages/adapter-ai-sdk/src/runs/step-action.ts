import type { MediaTexts } from "../projection/media-texts.ts";
import { plainValue } from "../projection/plain-text.ts";
import type { StepResultFacts } from "./step-result.ts";

/** Most names that are spelled out in the type of a step that called several tools. */
const MOST_NAMES = 3;

type Part = Readonly<Record<string, unknown>>;

function isPart(value: unknown): value is Part {
  return typeof value === "object" && value !== null;
}

function partsOf(content: readonly unknown[], type: string): Part[] {
  return content.filter((part): part is Part => isPart(part) && part["type"] === type);
}

function toolOf(part: Part): string {
  const { toolName } = part;
  return typeof toolName === "string" && toolName !== "" ? toolName : "unknown";
}

/** `tool:search`, or `tool:fetch+search` for several at once; `tool:many` above three names. */
export function toolType(names: readonly string[]): string {
  const distinct = [...new Set(names)].sort();
  return `tool:${distinct.length > MOST_NAMES ? "many" : distinct.join("+")}`;
}

function callFields(call: Part, media: MediaTexts): Record<string, unknown> {
  return {
    tool: toolOf(call),
    args: plainValue(call["input"] ?? {}, media),
    ...(call["providerExecuted"] === true && { provider_executed: true }),
    ...(call["invalid"] === true && { invalid: true }),
  };
}

/**
 * What a step did. `type` is what reports group by: the tools that the model called in it, else
 * `model`.
 */
export function stepAction(
  { content, finishReason }: StepResultFacts,
  media: MediaTexts,
): Record<string, unknown> {
  const calls = partsOf(content, "tool-call");
  const finish = finishReason === undefined ? {} : { finish_reason: finishReason };
  if (calls.length === 0) return { type: "model", ...finish };
  return {
    type: toolType(calls.map(toolOf)),
    ...finish,
    ...(calls.length > 1 && { parallel: calls.length }),
    calls: calls.map((call) => callFields(call, media)),
  };
}

/** The tools that failed, in the order of their calls; undefined where none did. */
export function failedTools(content: readonly unknown[]): { failed_tools: string[] } | undefined {
  const errors = partsOf(content, "tool-error");
  if (errors.length === 0) return undefined;
  const ids = new Set(errors.map((part) => part["toolCallId"]));
  const failed = partsOf(content, "tool-call").filter((call) => ids.has(call["toolCallId"]));
  return { failed_tools: failed.map(toolOf) };
}

/** Token and tool counts of a step; a count that was not reported is absent, never zero. */
export function stepCost({
  content,
  usage,
}: Pick<StepResultFacts, "content" | "usage">): Record<string, number> {
  const { inputTokens, outputTokens, reasoningTokens, cachedInputTokens, ...rest } = Object(usage) as Part;
  const { inputTokenDetails, outputTokenDetails } = rest;
  const cost: Record<string, number> = {};
  const add = (name: string, value: unknown) => {
    // Providers report NaN, null and texts; the recorder would drop them, one by one and silently, too.
    if (typeof value === "number" && Number.isFinite(value)) cost[name] = value;
  };
  add("prompt_tokens", inputTokens);
  add("completion_tokens", outputTokens);
  add("reasoning_tokens", (Object(outputTokenDetails) as Part)["reasoningTokens"] ?? reasoningTokens);
  add("cached_tokens", (Object(inputTokenDetails) as Part)["cacheReadTokens"] ?? cachedInputTokens);
  const calls = partsOf(content, "tool-call").length;
  if (calls > 0) cost["tool_calls"] = calls;
  return cost;
}

/** True where the step waits for its caller to approve a call. */
export function waitsForApproval(content: readonly unknown[]): boolean {
  const requests = partsOf(content, "tool-approval-request");
  if (requests.length === 0) return false;
  const answered = new Set(partsOf(content, "tool-approval-response").map((part) => part["approvalId"]));
  return requests.some((part) => !answered.has(part["approvalId"]));
}
