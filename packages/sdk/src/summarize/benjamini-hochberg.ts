/**
 * p-values adjusted for their number (Benjamini and Hochberg, J. R. Stat. Soc. B 57, 1995): those at most
 * α are the verdicts of the step-up procedure, whose expected share of false ones is at most α when the
 * tests are independent or positively dependent.
 *
 * @param pValues from 0 to 1, in any order
 * @returns adjusted values in the same order, each at least its p-value and at most 1
 */
export function benjaminiHochberg(pValues: readonly number[]): number[] {
  const order = pValues.map((_, i) => i).sort((a, b) => pValues[b]! - pValues[a]!);
  const adjusted = [...pValues];
  let least = 1;
  order.forEach((i, passed) => {
    const rank = pValues.length - passed;
    least = Math.min(least, pValues[i]! * (pValues.length / rank));
    adjusted[i] = least;
  });
  return adjusted;
}
