import { fsum } from "../../math/index.ts";
import { backOffProbability } from "./back-off-probability.ts";
import type { CandidateTerm } from "./candidate-terms.ts";
import { dirichletProbability } from "./dirichlet-probability.ts";

/**
 * Mean over a candidate's tokens of ln(p(t | token before it, D) / p(t)), in nats: how much likelier
 * the state makes the candidate's words than a text about anything does.
 *
 * 0 means that the state adds nothing, as an empty one does. The mean instead of the sum keeps long
 * candidates comparable with short ones.
 *
 * @param terms at least one
 * @param counts the state's count vector, in the table's layout
 */
export function pmiScore(terms: readonly CandidateTerm[], counts: Float64Array): number {
  const length = counts[0]!;
  const parts = terms.map((term) => {
    const unigram = dirichletProbability(counts[term.unigram]!, length, term.background);
    const probability =
      term.pair === undefined || term.left === undefined
        ? unigram
        : backOffProbability(counts[term.pair]!, counts[term.left]!, unigram);
    return Math.log(probability / term.background);
  });
  return fsum(parts) / terms.length;
}
