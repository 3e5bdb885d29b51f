import { InvalidArgumentError } from "../../errors/index.ts";
import type { Clock } from "./clock.ts";
import { createFlowMeter, type FlowMeter } from "./flow-meter.ts";
import type { RateLimitHints } from "./rate-limit-headers.ts";

/** Limits a caller keeps to of its own accord. None is set by default. */
export interface RateLimits {
  /** Calls begun in any minute, retries included. */
  requestsPerMinute?: number;
  /** Prompt and completion tokens in any minute: estimated before a call, corrected after it. */
  tokensPerMinute?: number;
  maxConcurrent?: number;
}

/** One call's place. `end` is called exactly once. */
export interface Lease {
  end(outcome: LeaseOutcome): void;
}

export interface LeaseOutcome {
  /** Tokens the server counted, where it said. */
  tokens?: number;
  /** The server said "too many" (status 429). */
  throttled?: boolean;
  hints?: RateLimitHints;
}

/** Gives places to calls in the order they came, no faster than server and caller want. */
export interface RateLimiter {
  /**
   * @param latest on the clock's scale: a place that comes later is no use
   * @returns undefined when there can be none before `latest`
   * @throws the signal's reason once it has fired
   */
  enter(tokens: number, signal?: AbortSignal, latest?: number): Promise<Lease | undefined>;
  /** Takes limits over where they are stricter than those known so far. */
  tighten(limits: RateLimits): void;
  /** When the next call can begin at the earliest, on the clock's scale. */
  readonly blockedUntil: number;
  /** Share of the full speed used now: 1, halved by a 429, back at 1 in two minutes at most. */
  readonly pace: number;
}

/** From half speed to full speed. A provider's window is a minute. */
const RECOVERY_MS = 60_000;
const SLOWEST = 1 / 64;

interface Waiter {
  tokens: number;
  latest: number;
  settle: (lease: Lease | undefined) => void;
}

/**
 * A limiter that halves its speed when the server says "too many", once for a burst of such answers,
 * and recovers evenly over time. A `retry-after` holds every call back, whatever its length; so does a
 * window that the server says is used up.
 *
 * @throws InvalidArgumentError for a limit that is no positive number
 */
export function createRateLimiter(first: RateLimits, clock: Clock): RateLimiter {
  const limits: RateLimits = {};
  const waiting: Waiter[] = [];
  let running = 0;
  let blockedUntil = 0;
  let slowed: { at: number; pace: number; from: number } | undefined;
  let timer: AbortController | undefined;

  const pace = (now: number): number =>
    slowed === undefined ? 1 : Math.min(1, slowed.pace + (0.5 * (now - slowed.at)) / RECOVERY_MS);
  const meter = (perMinute: number): FlowMeter => createFlowMeter(perMinute, pace);
  let requests: FlowMeter | undefined;
  let tokens: FlowMeter | undefined;
  const tighten = (more: RateLimits): void => {
    checkLimits(more);
    for (const name of ["requestsPerMinute", "tokensPerMinute", "maxConcurrent"] as const) {
      const limit = Math.min(limits[name] ?? Infinity, more[name] ?? Infinity);
      if (limit < (limits[name] ?? Infinity)) {
        limits[name] = limit;
        if (name === "requestsPerMinute") requests = meter(limit);
        if (name === "tokensPerMinute") tokens = meter(limit);
      }
    }
  };
  tighten(first);

  /** How many calls may run now: the caller's limit, or what ran when the server complained. */
  const places = (now: number): number => {
    const share = pace(now);
    const full = limits.maxConcurrent ?? (share < 1 ? slowed!.from : Infinity);
    return Math.max(1, Math.floor(full * share));
  };
  const waitOf = (waiter: Waiter, now: number): number =>
    Math.max(blockedUntil - now, requests?.waitFor(1, now) ?? 0, tokens?.waitFor(waiter.tokens, now) ?? 0, 0);

  const begin = (waiter: Waiter): void => {
    const began = clock.now();
    running++;
    requests?.take(1);
    tokens?.take(waiter.tokens);
    waiter.settle({
      end: (outcome) => {
        if (outcome.tokens !== undefined) tokens?.correct(outcome.tokens - waiter.tokens);
        if (outcome.throttled === true) slowDown(began);
        hold(outcome.hints, waiter.tokens);
        running--;
        pump();
      },
    });
  };
  const slowDown = (began: number): void => {
    const now = clock.now();
    // Calls that began before the last halving tell nothing about the speed since.
    if (slowed !== undefined && began < slowed.at) return;
    const before = pace(now);
    slowed = { at: now, pace: Math.max(SLOWEST, before / 2), from: before < 1 ? slowed!.from : running };
  };
  const hold = (hints: RateLimitHints = {}, estimate: number): void => {
    const {
      retryAfterMs = 0,
      remainingRequests,
      resetRequestsMs = 0,
      remainingTokens,
      resetTokensMs = 0,
    } = hints;
    let wait = retryAfterMs;
    if (remainingRequests !== undefined && remainingRequests < 1) wait = Math.max(wait, resetRequestsMs);
    if (remainingTokens !== undefined && remainingTokens < estimate) wait = Math.max(wait, resetTokensMs);
    // Not everybody at the same moment: other processes wait for it too.
    wait += clock.random() * Math.min(1000, wait / 10);
    if (wait > 0) blockedUntil = Math.max(blockedUntil, clock.now() + wait);
  };
  const pump = (): void => {
    timer?.abort();
    timer = undefined;
    for (let head = waiting[0]; head !== undefined; head = waiting[0]) {
      const now = clock.now();
      const wait = waitOf(head, now);
      if (now + wait > head.latest) {
        waiting.shift();
        head.settle(undefined);
      } else if (wait > 0) {
        return wake(wait);
      } else {
        if (running >= places(now)) return slowed === undefined ? undefined : wake(RECOVERY_MS / 10);
        waiting.shift();
        begin(head);
      }
    }
  };
  const wake = (ms: number): void => {
    const mine = new AbortController();
    timer = mine;
    void clock.sleep(ms, mine.signal).then(() => {
      if (timer === mine) pump();
    });
  };

  return {
    tighten,
    get blockedUntil() {
      return blockedUntil;
    },
    get pace() {
      return pace(clock.now());
    },
    enter: (estimate, signal, latest = Infinity) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted === true) return reject(signal.reason as Error);
        const waiter: Waiter = { tokens: estimate, latest, settle: done(resolve) };
        const leave = (): void => {
          waiting.splice(waiting.indexOf(waiter), 1);
          reject(signal!.reason as Error);
          pump();
        };
        function done(settle: (lease: Lease | undefined) => void): Waiter["settle"] {
          return (lease) => {
            signal?.removeEventListener("abort", leave);
            settle(lease);
          };
        }
        signal?.addEventListener("abort", leave, { once: true });
        waiting.push(waiter);
        pump();
      }),
  };
}

function checkLimits(limits: RateLimits): void {
  for (const [name, value] of Object.entries(limits) as [string, unknown][]) {
    if (value !== undefined && !(typeof value === "number" && value >= 1))
      throw new InvalidArgumentError(`limits.${name}`, "a number, 1 or more", value);
  }
}
