import type { Clock } from "./clock.ts";
import { createRateLimiter, type RateLimiter, type RateLimits } from "./rate-limiter.ts";

const limiters = new WeakMap<Clock, Map<string, RateLimiter>>();

/**
 * The one limiter of a base URL and model in this process, since the server counts all of its calls
 * together. It keeps to the strictest limits that any of its clients gave.
 */
export function sharedLimiter(baseUrl: string, model: string, limits: RateLimits, clock: Clock): RateLimiter {
  let known = limiters.get(clock);
  if (known === undefined) limiters.set(clock, (known = new Map()));
  const key = JSON.stringify([baseUrl, model]);
  const limiter = known.get(key);
  limiter?.tighten(limits);
  if (limiter !== undefined) return limiter;
  const made = createRateLimiter(limits, clock);
  known.set(key, made);
  return made;
}
