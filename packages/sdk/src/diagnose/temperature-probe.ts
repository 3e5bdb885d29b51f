import { InvalidArgumentError } from "../errors/index.ts";
import type { ByCandidate } from "../schema/index.ts";
import { belief } from "./belief.ts";
import { sharedCandidates, valuesOf } from "./by-candidate.ts";
import { entropyMovement } from "./entropy-movement.ts";

/** The temperatures the paper reads a step at (section 5.2). */
export const TEMPERATURES: readonly number[] = [1, 2, 5, 10];

/** Below it a score divided by τ would lose its digits, and at last overflow. */
const MIN_TEMPERATURE = 1e-6;

/** One step read at one temperature. */
export interface TemperatureReading {
  tau: number;
  /** ΔH of softmax(ℓ / τ), nats. */
  entropyMovement: number;
  /** Mean over mappings of the largest probability. */
  topBefore: number;
  topAfter: number;
}

/**
 * Temperature probe: the step's entropy movement when the log scores are divided by τ first.
 *
 * Near-one-hot beliefs hide movement in their entropy; a higher temperature brings it out. Needs no
 * new evaluator call. Floored scores distort it, so report floored steps apart.
 *
 * @param before ℓ by candidate, one record a mapping, nats
 * @param after same mappings in the same order
 * @throws InvalidArgumentError as diagnoseTransition does, and for τ below 1e-6
 */
export function temperatureProbe(
  before: readonly ByCandidate[],
  after: readonly ByCandidate[],
  temperatures: readonly number[] = TEMPERATURES,
): TemperatureReading[] {
  const ids = sharedCandidates(before, after);
  const from = before.map((record) => valuesOf(record, ids));
  const to = after.map((record) => valuesOf(record, ids));
  return temperatures.map((tau) => {
    if (!(tau >= MIN_TEMPERATURE && tau < Infinity)) {
      throw new InvalidArgumentError("temperatures", `finite numbers of at least ${MIN_TEMPERATURE}`, tau);
    }
    const cooledFrom = from.map((scores) => belief(scores.map((score) => score / tau)));
    const cooledTo = to.map((scores) => belief(scores.map((score) => score / tau)));
    return {
      tau,
      entropyMovement: entropyMovement(cooledFrom, cooledTo).movement,
      topBefore: meanTop(cooledFrom),
      topAfter: meanTop(cooledTo),
    };
  });
}

function meanTop(beliefs: readonly number[][]): number {
  let sum = 0;
  for (const p of beliefs) sum += Math.max(...p);
  return sum / beliefs.length;
}
