import { klDivergence, smoothBelief } from "../math/index.ts";

/** ε of the paper's eq. 4. */
export const SURPRISE_EPSILON = 1e-6;

/**
 * Bayesian surprise S = KL(p̄_after^ε ‖ p̄_before^ε) with p^ε = (1 − ε) p + ε / K (paper eq. 4).
 *
 * Takes the mean beliefs over the mappings. It has no direction: read it beside the margin gain.
 * The largest value for K = 4 and ε = 1e-6 is 15.2018 nats, from one certain candidate to another;
 * with the other candidates at the floor score −20 it is 15.1936, the largest one the paper reports.
 *
 * @returns nats, never negative: a rounding remainder below zero is returned as 0
 */
export function surprise(
  meanBefore: readonly number[],
  meanAfter: readonly number[],
  epsilon: number = SURPRISE_EPSILON,
): number {
  const divergence = klDivergence(smoothBelief(meanAfter, epsilon), smoothBelief(meanBefore, epsilon));
  return divergence > 0 ? divergence : 0;
}
