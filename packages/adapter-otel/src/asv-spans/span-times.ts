import type { Step, Trajectory } from "@agent-step-value/sdk";
import type { SpanTime } from "./asv-span.ts";

/** A step is shown no shorter, so that steps without a latency keep their order on a time axis; in ms. */
const SHORTEST = 0.001;
/** Nor longer than a year. */
const LONGEST = 366 * 24 * 3600 * 1000;
/** The year 2255, in ms since 1970; nanoseconds in 64 bits end in 2262. */
export const LAST_TIME = 9_000_000_000_000;

/**
 * Begin and end of a trajectory and its steps, in ms since 1970. A record has no times of its own steps, so
 * they follow one another from `created_at`, each as long as its `latency_ms`; nothing here
 * depends on when the export runs. Order is in `asv.step.index`, never here.
 */
export class SpanTimes {
  readonly begin: number;
  #now: number;

  /** @param fallback begin of a trajectory without a usable `created_at` */
  constructor({ createdAt }: Trajectory, fallback: number) {
    const created = createdAt === undefined ? NaN : Date.parse(createdAt);
    this.begin = this.#now = created >= 0 && created <= LAST_TIME ? created : fallback;
  }

  /** Begin and end of the next step. */
  next({ cost }: Step): { start: number; end: number } {
    const latency = Object.hasOwn(cost, "latency_ms") ? cost["latency_ms"] : 0;
    const length = typeof latency === "number" ? Math.min(Math.max(latency, SHORTEST), LONGEST) : SHORTEST;
    const start = this.#now;
    this.#now = Math.min(start + length, LAST_TIME);
    return { start, end: this.#now };
  }

  get end(): number {
    return this.#now;
  }
}

/** Milliseconds as seconds and nanoseconds. */
export function spanTime(ms: number): SpanTime {
  const seconds = Math.floor(ms / 1000);
  return [seconds, Math.min(999_999_999, Math.round((ms - seconds * 1000) * 1e6))];
}
