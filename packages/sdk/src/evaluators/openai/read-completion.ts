import { isJsonObject, type JsonObject, type JsonValue, type TokenUsage } from "../../schema/index.ts";
import type { LogprobReply, RationaleReply } from "../evaluator.ts";
import { firstPosition } from "./first-position.ts";
import { readUsage } from "./read-usage.ts";
import { unusable } from "./unusable-reply.ts";

/** What both kinds of reply share. */
interface Completion {
  choice: JsonObject;
  message: JsonObject;
  refused: boolean;
  finishReason?: string;
  usage?: TokenUsage;
  model?: string;
  fingerprint?: string;
}

/**
 * A scored reply: position 0 and nothing else. A refusal that still lists its first token is flagged.
 *
 * An empty top list is no list: one value cannot rank candidates, and the others would all be floors.
 * Reasoning that came although it was switched off makes the number one of another protocol.
 *
 * @throws AsvError `evaluator_failed`; `fields.flag` is `no_logprobs`, `reasoning_tokens`, `refusal` or
 * `invalid_response`
 */
export function readScoredCompletion(json: JsonValue, topkAsked: number): LogprobReply {
  const { choice, refused, usage, model, fingerprint } = readCompletion(json);
  const first = firstPosition(choice["logprobs"]);
  if (first === undefined || first.top.length === 0) {
    if (refused) throw unusable("the model refused", "refusal");
    throw unusable(
      first === undefined
        ? "it has no log-probabilities; check that model and server return them (asv probe)"
        : "its list of top log-probabilities is empty; check the model with asv probe",
      "no_logprobs",
    );
  }
  return {
    form: "logprobs",
    topLogprobs: first.top,
    topkAsked,
    ...(first.emitted !== undefined && { firstToken: first.emitted }),
    ...(usage !== undefined && { usage }),
    ...(model !== undefined && { model }),
    ...(fingerprint !== undefined && { fingerprint }),
    flags: refused ? ["refusal"] : [],
  };
}

/**
 * A rationale as it was written, with its finish reason; a refusal is an empty text.
 *
 * @throws AsvError `evaluator_failed`; `fields.flag` is `reasoning_tokens` or `invalid_response`
 */
export function readRationaleCompletion(json: JsonValue): RationaleReply {
  const { message, finishReason, usage, model } = readCompletion(json);
  const text = message["content"] ?? "";
  if (typeof text !== "string") throw unusable("the rationale is no text");
  return {
    text,
    ...(finishReason !== undefined && { finishReason }),
    ...(usage !== undefined && { usage }),
    ...(model !== undefined && { model }),
  };
}

function readCompletion(json: JsonValue): Completion {
  if (!isJsonObject(json)) throw unusable("it is no JSON object");
  const { choices, usage, model, system_fingerprint: fingerprint } = json;
  const choice = Array.isArray(choices) ? choices[0] : undefined;
  if (!isJsonObject(choice)) throw unusable("it has no choice");
  const message = choice["message"];
  if (!isJsonObject(message)) throw unusable("its choice has no message");
  const { finish_reason: finishReason } = choice;
  const counted = readUsage(usage);
  if (reasoned(choice, message, counted)) {
    throw unusable(
      "the model reasoned although that was switched off; use a model or preset that does not",
      "reasoning_tokens",
    );
  }
  return {
    choice,
    message,
    refused: isText(message["refusal"]) || finishReason === "content_filter",
    ...(typeof finishReason === "string" && { finishReason }),
    ...(counted !== undefined && { usage: counted }),
    ...(typeof model === "string" && { model }),
    ...(typeof fingerprint === "string" && { fingerprint }),
  };
}

/** Whatever name a server gives it: counted tokens, reasoning text, or log-probabilities of such text. */
function reasoned({ logprobs }: JsonObject, message: JsonObject, usage: TokenUsage | undefined): boolean {
  if ((usage?.reasoningTokens ?? 0) > 0) return true;
  if (isText(message["reasoning_content"]) || isText(message["reasoning"])) return true;
  const listed = isJsonObject(logprobs) ? logprobs["reasoning_content"] : undefined;
  return Array.isArray(listed) && listed.length > 0;
}

function isText(value: JsonValue | undefined): boolean {
  return typeof value === "string" && value !== "";
}
