import { InvalidArgumentError } from "../errors/index.ts";
import type { ByCandidate, StepDiagnostics } from "../schema/index.ts";
import { sharedCandidates, valuesOf } from "./by-candidate.ts";
import { checkEpsilon, measureBeliefs } from "./diagnose-transition.ts";
import { SURPRISE_EPSILON } from "./surprise.ts";

/** How far the probabilities of one belief may sum from 1. */
export const BELIEF_SUM_TOLERANCE = 1e-6;

export interface TransitionBeliefs {
  /** Beliefs of the before-state: one record of candidate id to probability a label mapping. */
  before: readonly ByCandidate[];
  /** Beliefs of the after-state, the same mappings in the same order. */
  after: readonly ByCandidate[];
  /** Weight of the uniform part in surprise. Default {@link SURPRISE_EPSILON}. */
  epsilon?: number;
}

/**
 * What can be said of a transition of which only beliefs are known: entropy movement and surprise.
 *
 * Margins are absent and the flag `no_log_scores` says why: log scores cannot be had back from
 * beliefs that underflowed to 0, and a margin of rounded beliefs would look more exact than it is.
 *
 * @throws InvalidArgumentError as diagnoseTransition does, and for a belief that is negative or does
 *   not sum to 1 within {@link BELIEF_SUM_TOLERANCE}
 */
export function diagnoseBeliefs(beliefs: TransitionBeliefs): StepDiagnostics {
  const { before, after, epsilon = SURPRISE_EPSILON } = beliefs;
  checkEpsilon(epsilon);
  const ids = sharedCandidates(before, after);
  const from = before.map((record, b) => readBelief(valuesOf(record, ids), `before[${b}]`));
  const to = after.map((record, b) => readBelief(valuesOf(record, ids), `after[${b}]`));
  const diagnostics = measureBeliefs(ids, from, to, epsilon);
  diagnostics.flags.push("no_log_scores");
  return diagnostics;
}

function readBelief(values: number[], argument: string): number[] {
  let sum = 0;
  for (const value of values) {
    if (value < 0) throw new InvalidArgumentError(argument, "probabilities of at least 0", value);
    sum += value;
  }
  if (Math.abs(sum - 1) > BELIEF_SUM_TOLERANCE) {
    throw new InvalidArgumentError(argument, `probabilities that sum to 1 ± ${BELIEF_SUM_TOLERANCE}`, sum);
  }
  return values;
}
