import { isJsonObject, type JsonObject, type JsonValue, type TopLogprob } from "../../schema/index.ts";
import { unusable } from "./unusable-reply.ts";

/** What a reply says about the first token of its answer. */
export interface FirstPosition {
  emitted?: TopLogprob;
  /** As received, in order. */
  top: TopLogprob[];
}

/**
 * Position 0 of a choice's `logprobs`, in the form of chat completions (`content[0]`) or in the older
 * one of parallel lists (`tokens`, `token_logprobs`, `top_logprobs`), which some servers still use.
 *
 * @returns undefined when the reply carries none
 * @throws AsvError `evaluator_failed` with flag `invalid_response` for another shape
 */
export function firstPosition(logprobs: JsonValue | undefined): FirstPosition | undefined {
  if (logprobs === undefined || logprobs === null) return undefined;
  if (!isJsonObject(logprobs)) throw unusable("logprobs is no object");
  const { content, tokens } = logprobs;
  if (Array.isArray(content)) return content.length === 0 ? undefined : chatPosition(content[0]!);
  return Array.isArray(tokens) && tokens.length > 0 ? listPosition(logprobs) : undefined;
}

function chatPosition(first: JsonValue): FirstPosition {
  if (!isJsonObject(first)) throw unusable("the first entry of logprobs.content is no object");
  const list = first["top_logprobs"] ?? [];
  if (!Array.isArray(list)) throw unusable("top_logprobs is no list");
  return { emitted: entry(first), top: list.map(entry) };
}

function listPosition({ tokens, token_logprobs, top_logprobs }: JsonObject): FirstPosition {
  const at = (list: JsonValue | undefined) => (Array.isArray(list) ? list[0] : undefined);
  const first = at(top_logprobs);
  return {
    emitted: entry({ token: at(tokens) ?? null, logprob: at(token_logprobs) ?? null }),
    top: isJsonObject(first)
      ? Object.entries(first).map(([token, logprob]) => entry({ token, logprob }))
      : [],
  };
}

function entry(value: JsonValue): TopLogprob {
  const { token, logprob = null, bytes } = isJsonObject(value) ? value : ({} as JsonObject);
  if (typeof token !== "string") throw unusable("an entry has no token");
  if (logprob !== null && typeof logprob !== "number") throw unusable("a log-probability is no number");
  const known =
    Array.isArray(bytes) &&
    bytes.every((byte) => Number.isInteger(byte) && (byte as number) >= 0 && (byte as number) < 256);
  return { token, logprob, ...(known && { bytes: bytes as number[] }) };
}
