import type { MediaTexts } from "../projection/media-texts.ts";
import { plainValue } from "../projection/plain-text.ts";
import type { StepResultFacts } from "./step-result.ts";

/** Most names that are spelled out in the type of a step that called several tools. */
const MOST_NAMES = 3;

type Part = Readonly<Record<string, unknown>>;
type Fields = Record<string, unknown>;

/** The parts of a step's content that tell what it did, each kind in the order in which they came. */
export interface ContentParts {
  readonly calls: Part[];
  readonly errors: Part[];
  readonly requests: Part[];
  readonly responses: Part[];
}

function isPart(value: unknown): value is Part {
  return typeof value === "object" && value !== null;
}

export function contentParts(content: readonly unknown[]): ContentParts {
  const parts: ContentParts = { calls: [], errors: [], requests: [], responses: [] };
  for (const part of content) {
    if (!isPart(part)) continue;
    const { type } = part;
    if (type === "tool-call") parts.calls.push(part);
    else if (type === "tool-error") parts.errors.push(part);
    else if (type === "tool-approval-request") parts.requests.push(part);
    else if (type === "tool-approval-response") parts.responses.push(part);
  }
  return parts;
}

function toolOf(part: Part): string {
  const { toolName } = part;
  return typeof toolName === "string" && toolName !== "" ? toolName : "unknown";
}

/** `tool:search`, or `tool:fetch+search` for several at once; `tool:many` above three names. */
function toolType(calls: readonly Part[]): string {
  if (calls.length === 1) return `tool:${toolOf(calls[0]!)}`;
  const distinct = [...new Set(calls.map(toolOf))].sort();
  return `tool:${distinct.length > MOST_NAMES ? "many" : distinct.join("+")}`;
}

function callFields(call: Part, media: MediaTexts): Fields {
  const fields: Fields = { tool: toolOf(call), args: plainValue(call["input"] ?? {}, media) };
  if (call["providerExecuted"] === true) fields["provider_executed"] = true;
  if (call["invalid"] === true) fields["invalid"] = true;
  return fields;
}

/**
 * What a step did. `type` is what reports group by: the tools that the model called in it, else
 * `model`.
 */
export function stepAction(
  { calls }: ContentParts,
  finishReason: string | undefined,
  media: MediaTexts,
): Fields {
  // Fields are set one by one: this runs inside the host's call, and spreads cost several times as much.
  const action: Fields = { type: calls.length === 0 ? "model" : toolType(calls) };
  if (finishReason !== undefined) action["finish_reason"] = finishReason;
  if (calls.length > 1) action["parallel"] = calls.length;
  if (calls.length > 0) action["calls"] = calls.map((call) => callFields(call, media));
  return action;
}

/** The tools that failed, in the order of their calls; undefined where none did. */
export function failedTools({ calls, errors }: ContentParts): { failed_tools: string[] } | undefined {
  if (errors.length === 0) return undefined;
  const ids = new Set(errors.map((part) => part["toolCallId"]));
  return { failed_tools: calls.filter((call) => ids.has(call["toolCallId"])).map(toolOf) };
}

function addCount(cost: Record<string, number>, name: string, value: unknown): void {
  // Providers report NaN, null and texts: a count that is not known is absent, never zero.
  if (typeof value === "number" && Number.isFinite(value)) cost[name] = value;
}

/** Token and tool counts of a step. */
export function stepCost(usage: StepResultFacts["usage"], toolCalls: number): Record<string, number> {
  const cost: Record<string, number> = {};
  if (isPart(usage)) {
    const { inputTokenDetails, outputTokenDetails } = usage;
    const reasoning = isPart(outputTokenDetails) ? outputTokenDetails["reasoningTokens"] : undefined;
    const cached = isPart(inputTokenDetails) ? inputTokenDetails["cacheReadTokens"] : undefined;
    addCount(cost, "prompt_tokens", usage["inputTokens"]);
    addCount(cost, "completion_tokens", usage["outputTokens"]);
    addCount(cost, "reasoning_tokens", reasoning ?? usage["reasoningTokens"]);
    addCount(cost, "cached_tokens", cached ?? usage["cachedInputTokens"]);
  }
  if (toolCalls > 0) cost["tool_calls"] = toolCalls;
  return cost;
}

/** True where the step waits for its caller to approve a call. */
export function waitsForApproval({ requests, responses }: ContentParts): boolean {
  if (requests.length === 0) return false;
  const answered = new Set(responses.map((part) => part["approvalId"]));
  return requests.some((part) => !answered.has(part["approvalId"]));
}
