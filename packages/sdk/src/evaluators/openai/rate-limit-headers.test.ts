import { describe, expect, it } from "vitest";
import { rateLimitHints } from "./rate-limit-headers.ts";

const at = Date.UTC(2026, 10, 30, 12, 0, 0);
const hints = (headers: Record<string, string>) => rateLimitHints(new Headers(headers), at);

describe("rateLimitHints", () => {
  it.each([
    [{ "retry-after": "2" }, 2000],
    [{ "retry-after": "0.25" }, 250],
    [{ "retry-after": "86400" }, 86_400_000],
    [{ "retry-after": "Mon, 30 Nov 2026 12:02:00 GMT" }, 120_000],
    // A date that has passed asks for no wait.
    [{ "retry-after": "Mon, 30 Nov 2026 11:00:00 GMT" }, 0],
    [{ "retry-after-ms": "135" }, 135],
    [{ "retry-after-ms": "135", "retry-after": "9" }, 135],
  ])("%j is %d ms", (headers, ms) => {
    expect(hints(headers)).toEqual({ retryAfterMs: ms });
  });

  it.each(["soon", "", "-3", "NaN", "Infinity"])("a wait of %j is not understood and left out", (text) => {
    expect(hints({ "retry-after": text })).toEqual({});
  });

  it.each([
    ["6m0s", 360_000],
    ["1s", 1000],
    ["20ms", 20],
    ["1h2m3.5s", 3_723_500],
    ["12.5", 12_500],
  ])("a window ends in %s", (text, ms) => {
    expect(hints({ "x-ratelimit-reset-tokens": text, "x-ratelimit-remaining-tokens": "7" })).toEqual({
      resetTokensMs: ms,
      remainingTokens: 7,
    });
  });

  it("reads both windows and nothing of what it does not know", () => {
    expect(
      hints({
        "x-ratelimit-remaining-requests": "0",
        "x-ratelimit-reset-requests": "30s",
        "x-ratelimit-reset-tokens": "a while",
        "set-cookie": "session=1",
      }),
    ).toEqual({ remainingRequests: 0, resetRequestsMs: 30_000 });
  });
});
