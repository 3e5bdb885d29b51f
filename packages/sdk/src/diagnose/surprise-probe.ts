import type { ByCandidate } from "../schema/index.ts";
import { valuesOf } from "./by-candidate.ts";
import { checkEpsilon } from "./diagnose-transition.ts";
import { surprise } from "./surprise.ts";

/** The weights that show how far surprise depends on its smoothing: its ceiling for K = 4 is 10.6, 15.2 and 19.8 nats. */
export const SURPRISE_EPSILONS: readonly number[] = [1e-4, 1e-6, 1e-8];

/** The surprise of one step with one weight of the uniform part. */
export interface SurpriseReading {
  epsilon: number;
  /** Nats. */
  surprise: number;
}

/**
 * Surprise of one step at several ε. Near one-hot beliefs it is close to ln(K / ε), so its size is the
 * smoothing's; which steps moved is not.
 *
 * @param before mean belief by candidate
 * @param after the same candidates
 * @throws InvalidArgumentError for an ε not between 0 and 1
 */
export function surpriseProbe(
  before: ByCandidate,
  after: ByCandidate,
  epsilons: readonly number[] = SURPRISE_EPSILONS,
): SurpriseReading[] {
  const ids = Object.keys(before);
  const from = valuesOf(before, ids);
  const to = valuesOf(after, ids);
  return epsilons.map((epsilon) => {
    checkEpsilon(epsilon);
    return { epsilon, surprise: surprise(from, to, epsilon) };
  });
}
