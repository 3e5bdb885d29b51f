import { softmax } from "../math/index.ts";

/**
 * Belief of one state under one label mapping: p = softmax(ℓ) over the candidates (paper section 3.2).
 *
 * @param logScores ℓ in nats by candidate, all finite
 * @returns probabilities in the same order
 */
export function belief(logScores: readonly number[]): number[] {
  return softmax(logScores);
}
