/**
 * exp(x_i) / Σ exp(x_j), shifted by the maximum. Adding a constant to every input changes nothing.
 *
 * @param values log scores in nats, at least one, all finite
 * @returns probabilities in the same order, summing to 1
 */
export function softmax(values: readonly number[]): number[] {
  let top = -Infinity;
  for (const value of values) if (value > top) top = value;
  const weights: number[] = [];
  let sum = 0;
  for (const value of values) {
    const weight = Math.exp(value - top);
    weights.push(weight);
    sum += weight;
  }
  for (let i = 0; i < weights.length; i++) weights[i] = weights[i]! / sum;
  return weights;
}
