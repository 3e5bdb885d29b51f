/**
 * Mixture with the uniform distribution: (1 − ε) p + ε / K.
 *
 * The mixture form is the one that reproduces the paper's largest surprise, 15.194 nats for K = 4
 * (see `diagnose/surprise.ts`); adding ε to each entry would cap it at ln(1/ε) = 13.8.
 *
 * @param p a distribution over K outcomes
 * @param epsilon weight of the uniform part, 0 to 1
 */
export function smoothBelief(p: readonly number[], epsilon: number): number[] {
  const share = epsilon / p.length;
  return p.map((value) => (1 - epsilon) * value + share);
}
