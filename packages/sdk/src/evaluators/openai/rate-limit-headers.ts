/** What a reply's headers say about waiting. */
export interface RateLimitHints {
  /** The server asks to wait this long, in ms. */
  retryAfterMs?: number;
  /** Left in the current window, and when that window ends. */
  remainingRequests?: number;
  resetRequestsMs?: number;
  remainingTokens?: number;
  resetTokensMs?: number;
}

/** The part of `Headers` that is read. */
export interface ReadableHeaders {
  get(name: string): string | null;
}

/**
 * Reads `retry-after-ms`, `retry-after` (seconds or an HTTP date) and `x-ratelimit-*`. What cannot be
 * read is left out; no length is too long.
 *
 * @param date ms since 1970, to count an HTTP date from
 */
export function rateLimitHints(headers: ReadableHeaders, date: number): RateLimitHints {
  const hints: RateLimitHints = {};
  const set = (name: keyof RateLimitHints, value: number | undefined) => {
    if (value !== undefined && Number.isFinite(value) && value >= 0) hints[name] = value;
  };
  const number = (name: string) => {
    const text = headers.get(name)?.trim();
    return text === undefined || text === "" ? undefined : Number(text);
  };
  set("retryAfterMs", number("retry-after-ms") ?? retryAfter(headers.get("retry-after"), date));
  set("remainingRequests", number("x-ratelimit-remaining-requests"));
  set("remainingTokens", number("x-ratelimit-remaining-tokens"));
  set("resetRequestsMs", duration(headers.get("x-ratelimit-reset-requests")));
  set("resetTokensMs", duration(headers.get("x-ratelimit-reset-tokens")));
  return hints;
}

function retryAfter(text: string | null, date: number): number | undefined {
  if (text === null || text.trim() === "") return undefined;
  const seconds = Number(text);
  return Number.isNaN(seconds) ? Math.max(0, Date.parse(text) - date) : seconds * 1000;
}

const MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `6m0s`, `20ms`, `1.5s`, or plain seconds. */
function duration(text: string | null): number | undefined {
  const trimmed = text?.trim() ?? "";
  if (trimmed === "" || trimmed.length > 40) return undefined;
  if (/^\d+(\.\d+)?$/.test(trimmed)) return Number(trimmed) * 1000;
  if (!/^(\d+(\.\d+)?(ms|s|m|h|d))+$/.test(trimmed)) return undefined;
  let total = 0;
  for (const [, count, unit] of trimmed.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g))
    total += Number(count) * MS[unit!]!;
  return total;
}
