/**
 * ln Σ exp(x_i), shifted by the maximum so that it neither overflows nor underflows.
 *
 * @param values natural-log values; may hold -Infinity (probability zero)
 * @returns nats; -Infinity for an empty list or when all values are -Infinity
 */
export function logSumExp(values: readonly number[]): number {
  let top = -Infinity;
  for (const value of values) if (value > top) top = value;
  if (top === -Infinity) return -Infinity;
  let sum = 0;
  for (const value of values) sum += Math.exp(value - top);
  return top + Math.log(sum);
}
