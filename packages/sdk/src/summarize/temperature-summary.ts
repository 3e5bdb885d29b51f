import type { TemperatureReading } from "../diagnose/index.ts";
import { createRunningSum, type RunningSum } from "../math/index.ts";
import type { TemperatureSummary } from "./summary.ts";

interface Tally {
  steps: number;
  moved: number;
  movement: RunningSum;
  topBefore: RunningSum;
  topAfter: RunningSum;
}

export interface TemperatureTally {
  add(readings: readonly TemperatureReading[], floored: boolean): void;
  /** By τ, ascending; undefined when no step was probed. */
  summaries(): TemperatureSummary[] | undefined;
}

/** Sums temperature probes over steps, once with and once without floored steps, which distort them. */
export function createTemperatureTally(zeroTolerance: number): TemperatureTally {
  const all = new Map<number, Tally>();
  const clean = new Map<number, Tally>();
  const count = (tallies: Map<number, Tally>, reading: TemperatureReading): void => {
    let tally = tallies.get(reading.tau);
    if (tally === undefined) tallies.set(reading.tau, (tally = emptyTally()));
    tally.steps++;
    if (Math.abs(reading.entropyMovement) > zeroTolerance) tally.moved++;
    tally.movement.add(reading.entropyMovement);
    tally.topBefore.add(reading.topBefore);
    tally.topAfter.add(reading.topAfter);
  };
  return {
    add(readings, floored) {
      for (const reading of readings) {
        count(all, reading);
        if (!floored) count(clean, reading);
      }
    },
    summaries() {
      if (all.size === 0) return undefined;
      const ascending = [...all].sort(([a], [b]) => a - b);
      return ascending.map(([tau, tally]) => {
        const unfloored = clean.get(tau);
        const withoutFloor = unfloored === undefined ? {} : { withoutFloor: means(unfloored) };
        return { tau, ...means(tally), ...withoutFloor };
      });
    },
  };
}

function emptyTally(): Tally {
  return {
    steps: 0,
    moved: 0,
    movement: createRunningSum(),
    topBefore: createRunningSum(),
    topAfter: createRunningSum(),
  };
}

function means({ steps, moved, movement, topBefore, topAfter }: Tally): Omit<TemperatureSummary, "tau"> {
  return {
    steps,
    meanEntropyMovement: movement.total() / steps,
    movedRate: moved / steps,
    meanTopBefore: topBefore.total() / steps,
    meanTopAfter: topAfter.total() / steps,
  };
}
