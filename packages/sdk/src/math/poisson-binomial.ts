/**
 * Distribution of a number of successes when every trial has its own chance.
 *
 * Convolves the trials one by one: O(n²) for n trials, no approximation.
 *
 * @param chances success probability of each trial, 0 to 1
 * @returns probability of exactly 0, 1, … n successes
 */
export function poissonBinomial(chances: readonly number[]): Float64Array {
  const mass = new Float64Array(chances.length + 1);
  mass[0] = 1;
  chances.forEach((chance, done) => {
    for (let hits = done + 1; hits > 0; hits--) {
      mass[hits] = mass[hits]! * (1 - chance) + mass[hits - 1]! * chance;
    }
    mass[0] = mass[0]! * (1 - chance);
  });
  return mass;
}
