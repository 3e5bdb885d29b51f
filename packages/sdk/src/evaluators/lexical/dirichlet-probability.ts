/** μ: weight of the background, in tokens. */
const DIRICHLET_MU = 200;

/**
 * p(t|D) = (c(t, D) + μ p(t)) / (|D| + μ): unigram probability of a token in a state, smoothed by a
 * Dirichlet prior on the background (Zhai and Lafferty, SIGIR 2001).
 *
 * An empty state gives the background itself.
 *
 * @param count c(t, D), occurrences of the token in the state
 * @param length |D|, tokens of the state
 * @param background p(t)
 */
export function dirichletProbability(count: number, length: number, background: number): number {
  return (count + DIRICHLET_MU * background) / (length + DIRICHLET_MU);
}
