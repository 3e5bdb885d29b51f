/**
 * Mean belief over label mappings, p̄(c) = B⁻¹ Σ_b p^(b)(c) (paper section 3.2).
 *
 * @param beliefs one distribution a mapping, same candidate order, at least one
 */
export function meanBelief(beliefs: readonly (readonly number[])[]): number[] {
  const mean = Array.from(beliefs[0]!, () => 0);
  for (const p of beliefs) {
    for (let c = 0; c < mean.length; c++) mean[c] = mean[c]! + p[c]!;
  }
  for (let c = 0; c < mean.length; c++) mean[c] = mean[c]! / beliefs.length;
  return mean;
}
