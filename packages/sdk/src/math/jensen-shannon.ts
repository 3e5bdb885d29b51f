import { klDivergence } from "./kl-divergence.ts";

/**
 * Jensen-Shannon divergence ½ D(p ‖ m) + ½ D(q ‖ m), with m = ½ (p + q).
 *
 * @param p a distribution
 * @param q a distribution, same order and length
 * @returns nats, between 0 and ln 2 up to rounding; symmetric in p and q
 */
export function jensenShannon(p: readonly number[], q: readonly number[]): number {
  const middle = p.map((value, i) => 0.5 * (value + q[i]!));
  return 0.5 * klDivergence(p, middle) + 0.5 * klDivergence(q, middle);
}
