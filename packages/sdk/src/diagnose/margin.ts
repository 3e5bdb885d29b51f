/**
 * State margin M = ℓ(g) − max over c ≠ g of ℓ(c) (paper section 3.3).
 *
 * The competitor is the nearest single candidate, as the paper writes it, so a positive margin says
 * that the target is the evaluator's first choice.
 *
 * @param logScores ℓ in nats by candidate, at least two
 * @param target position of the target g
 * @returns nats
 */
export function margin(logScores: readonly number[], target: number): number {
  let competitor = -Infinity;
  for (let c = 0; c < logScores.length; c++) {
    if (c !== target && logScores[c]! > competitor) competitor = logScores[c]!;
  }
  return logScores[target]! - competitor;
}
