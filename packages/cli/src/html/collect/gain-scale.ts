import { quantile } from "@agent-step-value/sdk";
import type { StepPoints } from "./step-points.ts";

/** How a margin gain is coloured: three strengths a direction, or why there is none. */
export type GainLevel = "n3" | "n2" | "n1" | "z" | "p1" | "p2" | "p3" | "u";

/** Gains, nats, from which the second and the third strength begin. */
export interface GainScale {
  second: number;
  third: number;
  zeroTolerance: number;
}

/**
 * A scale for this report's gains: the third strength begins at half of the 95th percentile of those that
 * are not zero, so that a single huge gain does not pale all others.
 */
export function gainScale({ marginGain }: StepPoints, zeroTolerance: number): GainScale {
  const sizes = marginGain
    .map((gain) => Math.abs(gain))
    .filter((size) => size > zeroTolerance)
    .sort();
  const top = sizes.length === 0 ? 1 : quantile(sizes, 0.95);
  return { second: top / 6, third: top / 2, zeroTolerance };
}

export function gainLevel(gain: number | undefined, { second, third, zeroTolerance }: GainScale): GainLevel {
  if (gain === undefined) return "u";
  const size = Math.abs(gain);
  if (size <= zeroTolerance) return "z";
  const strength = size >= third ? 3 : size >= second ? 2 : 1;
  return `${gain > 0 ? "p" : "n"}${strength}`;
}
