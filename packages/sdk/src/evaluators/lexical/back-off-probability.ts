/** Weight of the unigram under the bigram, in occurrences of the left token. */
const BACK_OFF_PSEUDO_COUNTS = 5;

/**
 * p(t|s, D) = (c(s t, D) + 5 p(t|D)) / (c(s ·, D) + 5): probability of a token after another one.
 *
 * Where the left token never occurs it is the unigram probability, and it moves away from it as the
 * pair is seen.
 *
 * @param pairCount c(s t, D), how often the pair occurs
 * @param leftCount c(s ·, D), how often the left token is followed by any token of its block
 * @param unigram p(t|D)
 */
export function backOffProbability(pairCount: number, leftCount: number, unigram: number): number {
  return (pairCount + BACK_OFF_PSEUDO_COUNTS * unigram) / (leftCount + BACK_OFF_PSEUDO_COUNTS);
}
