import { round6 } from "./python-round.ts";

/** Mean rounded to 6 decimals; 0 of nothing, as the toolkit has it. */
export function mean6(values: readonly number[]): number {
  if (values.length === 0) return 0;
  return round6(values.reduce((sum, value) => sum + value, 0) / values.length);
}
