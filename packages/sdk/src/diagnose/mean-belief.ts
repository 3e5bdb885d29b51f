/**
 * Mean belief over label mappings, p̄(c) = B⁻¹ Σ_b p^(b)(c) (paper section 3.2).
 *
 * @param beliefs one distribution a mapping, same candidate order, at least one
 */
export function meanBelief(beliefs: readonly (readonly number[])[]): number[] {
  const mean = beliefs[0]!.slice();
  for (let b = 1; b < beliefs.length; b++) {
    for (let c = 0; c < mean.length; c++) mean[c] = mean[c]! + beliefs[b]![c]!;
  }
  for (let c = 0; c < mean.length; c++) mean[c] = mean[c]! / beliefs.length;
  return mean;
}
