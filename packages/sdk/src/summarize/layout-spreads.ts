import { fsum, quantile } from "../math/index.ts";
import type { Summary } from "./summary.ts";

export interface LayoutSpreads {
  add(spread: number): void;
  /** Undefined when no step has a spread. */
  summary(): Summary["layoutSpread"];
}

/**
 * Layout spreads of many steps. A step scored under one mapping has spread 0, so zeros are counted and
 * only the others kept.
 */
export function createLayoutSpreads(): LayoutSpreads {
  const spreads: number[] = [];
  let zeros = 0;
  return {
    add(spread) {
      if (spread === 0) zeros++;
      else spreads.push(spread);
    },
    summary() {
      const steps = zeros + spreads.length;
      if (steps === 0) return undefined;
      const sorted = new Float64Array(steps);
      sorted.set(spreads, zeros);
      sorted.subarray(zeros).sort();
      return {
        steps,
        mean: fsum(spreads) / steps,
        median: quantile(sorted, 0.5),
        max: sorted.at(-1)!,
      };
    },
  };
}
