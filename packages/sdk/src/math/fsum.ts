/**
 * Sum of many numbers with one rounding at the end (Shewchuk's partials, as in Python's `math.fsum`).
 *
 * Plain addition of a million gains loses digits and depends on order; this does not depend on
 * order. Cost O(n) in practice.
 */
export function fsum(values: Iterable<number>): number {
  const partials: number[] = [];
  for (let x of values) {
    let kept = 0;
    for (let y of partials) {
      if (Math.abs(x) < Math.abs(y)) [x, y] = [y, x];
      const high = x + y;
      const low = y - (high - x);
      if (low !== 0) partials[kept++] = low;
      x = high;
    }
    partials.length = kept;
    partials.push(x);
  }
  return roundPartials(partials);
}

/** Adds non-overlapping partials from the largest down, correcting the half-even case at the end. */
function roundPartials(partials: readonly number[]): number {
  let n = partials.length;
  if (n === 0) return 0;
  let high = partials[--n]!;
  let low = 0;
  while (n > 0) {
    const x = high;
    const y = partials[--n]!;
    high = x + y;
    low = y - (high - x);
    if (low !== 0) break;
  }
  if (n > 0 && Math.sign(low) === Math.sign(partials[n - 1]!)) {
    const doubled = low * 2;
    const x = high + doubled;
    if (doubled === x - high) high = x;
  }
  return high;
}
