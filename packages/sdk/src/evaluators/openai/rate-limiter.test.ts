import { describe, expect, it } from "vitest";
import { createRateLimiter, type Lease, type RateLimits } from "./rate-limiter.ts";
import { sharedLimiter } from "./shared-limiter.ts";
import { virtualClock, type VirtualClock } from "./virtual-clock.test-support.ts";

const limiterOf = (limits: RateLimits = {}) => {
  const clock = virtualClock();
  return { clock, limiter: createRateLimiter(limits, clock) };
};
const turns = async (n = 3) => {
  for (let i = 0; i < n; i++) await new Promise((resolve) => setImmediate(resolve));
};
/** Enters n times at once; the leases that were given without waiting. */
async function rush(limiter: ReturnType<typeof createRateLimiter>, n: number): Promise<Lease[]> {
  const given: Lease[] = [];
  for (let i = 0; i < n; i++) void limiter.enter(0).then((lease) => given.push(lease!));
  await turns(1);
  return given;
}
async function pass(clock: VirtualClock, ms: number): Promise<void> {
  await clock.sleep(ms);
}

describe("createRateLimiter", () => {
  it("lets everybody in at once where no limit is set", async () => {
    const { limiter } = limiterOf();
    expect(await rush(limiter, 100)).toHaveLength(100);
  });

  it("keeps to maxConcurrent and to the order of arrival", async () => {
    const { limiter } = limiterOf({ maxConcurrent: 2 });
    const order: number[] = [];
    let running = 0;
    let most = 0;
    await Promise.all(
      Array.from({ length: 9 }, async (_, i) => {
        const lease = await limiter.enter(0);
        order.push(i);
        most = Math.max(most, ++running);
        await turns(1);
        running--;
        lease!.end({});
      }),
    );
    expect(order).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    expect(most).toBe(2);
  });

  it("spreads requests over the minute", async () => {
    const { clock, limiter } = limiterOf({ requestsPerMinute: 60 });
    for (let i = 0; i < 61; i++) (await limiter.enter(0))!.end({});
    expect(clock.now()).toBeCloseTo(60_000, 3);
  });

  it("counts tokens, and the server's count over its own guess", async () => {
    const guessed = limiterOf({ tokensPerMinute: 6000 });
    for (let i = 0; i < 20; i++) (await guessed.limiter.enter(600))!.end({});
    const told = limiterOf({ tokensPerMinute: 6000 });
    for (let i = 0; i < 20; i++) (await told.limiter.enter(600))!.end({ tokens: 60 });
    expect(guessed.clock.now()).toBeGreaterThan(100_000);
    expect(told.clock.now()).toBeLessThan(guessed.clock.now() / 5);
  });

  it("halves on a 429, once for a burst of them, and recovers in a minute", async () => {
    const { clock, limiter } = limiterOf();
    const leases = await rush(limiter, 8);
    await pass(clock, 10);
    for (const lease of leases) lease.end({ throttled: true });
    expect(limiter.pace).toBe(0.5);
    // Eight ran when it happened, so four may run now.
    expect(await rush(limiter, 8)).toHaveLength(4);
    await pass(clock, 30_000);
    expect(limiter.pace).toBeCloseTo(0.75, 3);
    await pass(clock, 30_000);
    expect(limiter.pace).toBe(1);
    // The four that still waited came in meanwhile, and there is no limit again.
    expect(await rush(limiter, 50)).toHaveLength(50);
  });

  it("halves again when calls begun since are refused too, but never stops", async () => {
    const { clock, limiter } = limiterOf({ maxConcurrent: 100 });
    for (let i = 0; i < 12; i++) {
      const lease = await limiter.enter(0);
      await pass(clock, 1);
      lease!.end({ throttled: true });
    }
    expect(limiter.pace).toBeLessThan(0.02);
    expect(await rush(limiter, 3)).toHaveLength(1);
  });

  it.each([100, 120_000, 7_200_000, 40 * 86_400_000])(
    "holds everybody for a retry-after of %d ms",
    async (ms) => {
      const { clock, limiter } = limiterOf();
      (await limiter.enter(0))!.end({ throttled: true, hints: { retryAfterMs: ms } });
      await Promise.all([
        limiter.enter(0).then((lease) => lease!.end({})),
        limiter.enter(0).then((lease) => lease!.end({})),
      ]);
      expect(clock.now()).toBeGreaterThanOrEqual(ms);
      // Some jitter, at most a second.
      expect(clock.now()).toBeLessThanOrEqual(ms + Math.min(1000, ms / 10));
    },
  );

  it("waits for a window to open that the server says is used up", async () => {
    const { clock, limiter } = limiterOf();
    (await limiter.enter(10))!.end({ hints: { remainingRequests: 0, resetRequestsMs: 30_000 } });
    await limiter.enter(10);
    expect(clock.now()).toBeGreaterThanOrEqual(30_000);
    const plenty = limiterOf();
    (await plenty.limiter.enter(10))!.end({
      hints: { remainingRequests: 5, resetRequestsMs: 30_000, remainingTokens: 100, resetTokensMs: 9000 },
    });
    await plenty.limiter.enter(10);
    expect(plenty.clock.now()).toBe(0);
    // 100 left, and calls need 2000.
    const short = limiterOf();
    (await short.limiter.enter(2000))!.end({ hints: { remainingTokens: 100, resetTokensMs: 9000 } });
    await short.limiter.enter(2000);
    expect(short.clock.now()).toBeGreaterThanOrEqual(9000);
  });

  it("an abort leaves the queue at once, with its reason, and holds nobody up", async () => {
    const { limiter } = limiterOf({ maxConcurrent: 1 });
    const first = await limiter.enter(0);
    const stop = new AbortController();
    const leaving = limiter.enter(0, stop.signal);
    const staying = limiter.enter(0);
    stop.abort(new Error("enough"));
    await expect(leaving).rejects.toThrow("enough");
    first!.end({});
    expect(await staying).toBeDefined();
    await expect(limiter.enter(0, stop.signal)).rejects.toThrow("enough");
  });

  it("says at once when no place can come in time", async () => {
    const { clock, limiter } = limiterOf();
    (await limiter.enter(0))!.end({ hints: { retryAfterMs: 60_000 } });
    expect(await limiter.enter(0, undefined, clock.now() + 5000)).toBeUndefined();
    expect(clock.now()).toBe(0);
  });

  it.each([0, -1, Number.NaN, "10"])("refuses a limit of %j", (value) => {
    expect(() => limiterOf({ requestsPerMinute: value as number })).toThrow(/limits\.requestsPerMinute/);
  });
});

describe("sharedLimiter", () => {
  it("is one for an address and a model, with the strictest of its limits", async () => {
    const clock = virtualClock();
    const one = sharedLimiter("http://a/v1", "m", { maxConcurrent: 5 }, clock);
    expect(sharedLimiter("http://a/v1", "m", { maxConcurrent: 2 }, clock)).toBe(one);
    expect(sharedLimiter("http://a/v1", "m", {}, clock)).toBe(one);
    expect(await rush(one, 9)).toHaveLength(2);
    expect(sharedLimiter("http://a/v1", "m-2", {}, clock)).not.toBe(one);
    expect(sharedLimiter("http://b/v1", "m", {}, clock)).not.toBe(one);
  });
});
