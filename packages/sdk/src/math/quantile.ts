/**
 * Quantile of sorted values by linear interpolation at (n − 1) q: type 7 of Hyndman and Fan, the
 * default of R, NumPy and Excel.
 *
 * @param sorted ascending, at least one value
 * @param q 0 to 1
 */
export function quantile(sorted: ArrayLike<number>, q: number): number {
  const position = (sorted.length - 1) * q;
  const below = Math.floor(position);
  const low = sorted[below]!;
  const high = sorted[Math.min(below + 1, sorted.length - 1)]!;
  return low + (position - below) * (high - low);
}
