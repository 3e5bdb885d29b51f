import type { SurpriseReading } from "../diagnose/index.ts";
import { createRunningSum, type RunningSum } from "../math/index.ts";
import type { SurpriseSummary } from "./summary.ts";

export interface SurpriseTally {
  add(readings: readonly SurpriseReading[]): void;
  /** By ε, ascending; undefined when no step was probed. */
  summaries(): SurpriseSummary[] | undefined;
}

/** Sums surprise at several ε over steps. */
export function createSurpriseTally(): SurpriseTally {
  const tallies = new Map<number, { steps: number; sum: RunningSum; max: number }>();
  return {
    add(readings) {
      for (const { epsilon, surprise } of readings) {
        let tally = tallies.get(epsilon);
        if (tally === undefined)
          tallies.set(epsilon, (tally = { steps: 0, sum: createRunningSum(), max: 0 }));
        tally.steps++;
        tally.sum.add(surprise);
        tally.max = Math.max(tally.max, surprise);
      }
    },
    summaries() {
      if (tallies.size === 0) return undefined;
      return [...tallies]
        .sort(([a], [b]) => a - b)
        .map(([epsilon, { steps, sum, max }]) => ({ epsilon, steps, mean: sum.total() / steps, max }));
    },
  };
}
