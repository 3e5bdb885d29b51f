const MINUTE = 60_000;

/** Lets through at most `perMinute` units in any minute, evenly, with a burst of about a second's worth. */
export interface FlowMeter {
  /** Milliseconds until `units` may go through; 0 when they may now. */
  waitFor(units: number, now: number): number;
  /** Lets them through. */
  take(units: number): void;
  /** Replaces an estimate by what it really was. */
  correct(by: number): void;
}

/**
 * A bucket of `burst` units, refilled at the rate that makes burst and refill of a minute together the
 * limit. More units than the bucket holds go through when it is full, and leave a debt.
 *
 * @param pace share of the rate to use now, from 0 to 1
 */
export function createFlowMeter(perMinute: number, pace: (now: number) => number): FlowMeter {
  const burst = Math.max(1, Math.floor(perMinute / 60));
  // A window holds the burst and what flows in after it; the first unit of the flow is the burst's own.
  const perMs = (perMinute - burst + 1) / MINUTE;
  let level = burst;
  let at: number | undefined;
  const refill = (now: number): number => {
    const rate = perMs * pace(now);
    level = Math.min(burst, level + (now - (at ?? now)) * rate);
    at = now;
    return rate;
  };
  return {
    waitFor(units, now) {
      const rate = refill(now);
      const missing = Math.min(units, burst) - level;
      // Less than a millionth is rounding of the refill, not a unit.
      return missing <= 1e-6 ? 0 : missing / rate;
    },
    take(units) {
      level -= units;
    },
    correct(by) {
      level = Math.min(burst, level - by);
    },
  };
}
