/**
 * Kullback-Leibler divergence D(p ‖ q) = Σ p ln(p / q), with 0 ln 0 = 0.
 *
 * @param p the distribution averaged over
 * @param q the reference distribution, same order and length
 * @returns nats, at least 0 up to rounding; Infinity where q is 0 and p is not
 */
export function klDivergence(p: readonly number[], q: readonly number[]): number {
  let sum = 0;
  for (let i = 0; i < p.length; i++) {
    const pi = p[i]!;
    if (pi > 0) sum += pi * Math.log(pi / q[i]!);
  }
  return sum;
}
