import type { DiagnosedStep } from "../diagnose/index.ts";
import { createRunningSum, type RunningSum } from "../math/index.ts";
import type { OpenInterval } from "../schema/index.ts";
import type { FloorSummary, SignCounts } from "./summary.ts";

export interface FloorTally {
  /** A step with a margin gain. */
  add(step: DiagnosedStep): void;
  /** Undefined without a floored step. */
  summary(): FloorSummary | undefined;
}

interface FloorReadings extends SignCounts {
  /** Replaced gains of floored steps. */
  sum: RunningSum;
  steps: number;
}

/** Gathers what floor scores leave open. Steps without a floored label keep their gain everywhere. */
export function createFloorTally(zeroTolerance: number): FloorTally {
  const signOf = (gain: number): keyof SignCounts =>
    gain > zeroTolerance ? "positive" : gain < -zeroTolerance ? "negative" : "zero";
  /** An open end reaches to infinity. */
  const hasOneSign = ({ low: from = -Infinity, high: to = Infinity }: OpenInterval): boolean =>
    from > zeroTolerance || to < -zeroTolerance || (from >= -zeroTolerance && to <= zeroTolerance);
  const firm = createRunningSum();
  const firmSigns: SignCounts = { positive: 0, zero: 0, negative: 0 };
  const low = createRunningSum();
  const high = createRunningSum();
  const sensitivity = new Map<number, FloorReadings>();
  let firmSteps = 0;
  let steps = 0;
  let openLow = 0;
  let openHigh = 0;
  let open = 0;
  let signKnown = 0;
  return {
    add({ diagnostics, floorSensitivity = [] }) {
      const { marginGain, floorInterval } = diagnostics!;
      if (floorInterval === undefined) {
        firmSteps++;
        firm.add(marginGain!);
        firmSigns[signOf(marginGain!)]++;
        return;
      }
      steps++;
      if (floorInterval.low === undefined) openLow++;
      else low.add(floorInterval.low);
      if (floorInterval.high === undefined) openHigh++;
      else high.add(floorInterval.high);
      if (floorInterval.low === undefined || floorInterval.high === undefined) open++;
      if (hasOneSign(floorInterval)) signKnown++;
      for (const { floor, marginGain: replaced } of floorSensitivity) {
        let readings = sensitivity.get(floor);
        if (readings === undefined) {
          readings = { sum: createRunningSum(), steps: 0, positive: 0, zero: 0, negative: 0 };
          sensitivity.set(floor, readings);
        }
        readings.sum.add(replaced);
        readings.steps++;
        readings[signOf(replaced)]++;
      }
    },
    summary() {
      if (steps === 0) return undefined;
      const all = firmSteps + steps;
      // A floor that only some floored steps were read at says nothing about all steps.
      const complete = [...sensitivity].filter(([, readings]) => readings.steps === steps);
      return {
        steps,
        open,
        signKnown,
        ...(openLow > 0 ? {} : { meanLow: (firm.total() + low.total()) / all }),
        ...(openHigh > 0 ? {} : { meanHigh: (firm.total() + high.total()) / all }),
        ...(complete.length === 0
          ? {}
          : {
              sensitivity: complete
                .sort(([a], [b]) => b - a)
                .map(([floor, { sum, positive, zero, negative }]) => ({
                  floor,
                  mean: (firm.total() + sum.total()) / all,
                  meanOfFloored: sum.total() / steps,
                  positive: firmSigns.positive + positive,
                  zero: firmSigns.zero + zero,
                  negative: firmSigns.negative + negative,
                })),
            }),
      };
    },
  };
}
