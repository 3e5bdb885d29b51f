/**
 * Layout spread: the largest minus the smallest margin gain over the label mappings of one step.
 * Zero says that the place of a candidate among the labels changed nothing; so does a single mapping.
 *
 * @param gains margin gain of each mapping, nats, at least one
 */
export function layoutSpread(gains: readonly number[]): number {
  let low = Infinity;
  let high = -Infinity;
  for (const gain of gains) {
    if (gain < low) low = gain;
    if (gain > high) high = gain;
  }
  return high - low;
}
