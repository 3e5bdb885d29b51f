/**
 * Shannon entropy H(p) = −Σ p ln p, with 0 ln 0 = 0.
 *
 * @param probabilities a distribution; it is not normalised here
 * @returns nats, between 0 and ln K
 */
export function entropy(probabilities: readonly number[]): number {
  let sum = 0;
  for (const p of probabilities) if (p > 0) sum -= p * Math.log(p);
  return sum;
}
