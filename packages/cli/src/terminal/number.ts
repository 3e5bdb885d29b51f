/** A number with three decimals and a sign, or a dash where there is none. Printing rounds; files do not. */
export function signed(value: number | undefined): string {
  if (value === undefined) return "–";
  const text = Math.abs(value) < 0.0005 ? "0.000" : value.toFixed(3);
  return value >= 0.0005 ? `+${text}` : text;
}

/** A number with three decimals, or a dash. */
export function plain(value: number | undefined): string {
  return value === undefined ? "–" : value.toFixed(3);
}

/** A share as a percentage with one decimal, or a dash. */
export function percent(share: number | undefined): string {
  return share === undefined ? "–" : `${(100 * share).toFixed(1)}%`;
}

/** `[low, high]` with three decimals and signs, or a dash. */
export function interval(ends: { low?: number; high?: number } | undefined): string {
  if (ends?.low === undefined || ends.high === undefined) return "–";
  return `[${signed(ends.low)}, ${signed(ends.high)}]`;
}
