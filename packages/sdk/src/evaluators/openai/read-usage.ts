import { isJsonObject, type JsonValue, type TokenUsage } from "../../schema/index.ts";

/**
 * Token counts of a reply, in OpenAI's words (`prompt_tokens_details.cached_tokens`) or DeepSeek's
 * (`prompt_cache_hit_tokens`). What the server did not say is absent, never zero.
 */
export function readUsage(usage: JsonValue | undefined): TokenUsage | undefined {
  if (!isJsonObject(usage)) return undefined;
  const detail = (of: string, name: string) => {
    const details = usage[of];
    return isJsonObject(details) ? count(details[name]) : undefined;
  };
  const read: Record<keyof Omit<TokenUsage, "extra">, number | undefined> = {
    promptTokens: count(usage["prompt_tokens"]),
    completionTokens: count(usage["completion_tokens"]),
    cachedTokens: detail("prompt_tokens_details", "cached_tokens") ?? count(usage["prompt_cache_hit_tokens"]),
    reasoningTokens: detail("completion_tokens_details", "reasoning_tokens"),
  };
  const known = Object.entries(read).filter(([, value]) => value !== undefined);
  return known.length === 0 ? undefined : (Object.fromEntries(known) as TokenUsage);
}

function count(value: JsonValue | undefined): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}
