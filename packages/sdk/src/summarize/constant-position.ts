/** How often one fixed step index is the labelled one. */
export interface ConstantPosition {
  step: number;
  hits: number;
  rate: number;
}

/** What can be had without looking at a single state: the bars that a ranking has to clear. */
export interface PositionBaselines {
  /** Mean over trajectories of 1 / n: a step picked at random. */
  uniformRate: number;
  /** Always the first step (index 0) and always the second (index 1). */
  alwaysFirst: ConstantPosition;
  alwaysSecond: ConstantPosition;
  /** The index that is right most often on these very labels; the lowest of equals. */
  best: ConstantPosition;
}

/**
 * Hit rates of predictors that know only positions. Indices are compared as integers.
 *
 * @param labelledIndex index of the labelled step of each trajectory, at least one
 * @param steps number of steps of each trajectory, same order
 */
export function positionBaselines(
  labelledIndex: readonly number[],
  steps: readonly number[],
): PositionBaselines {
  const hits = new Map<number, number>();
  for (const index of labelledIndex) hits.set(index, (hits.get(index) ?? 0) + 1);
  const at = (step: number): ConstantPosition => {
    const count = hits.get(step) ?? 0;
    return { step, hits: count, rate: count / labelledIndex.length };
  };
  let best = at(labelledIndex[0]!);
  for (const step of hits.keys()) {
    const other = at(step);
    if (other.hits > best.hits || (other.hits === best.hits && step < best.step)) best = other;
  }
  const uniformRate = steps.reduce((sum, n) => sum + 1 / n, 0) / steps.length;
  return { uniformRate, alwaysFirst: at(0), alwaysSecond: at(1), best };
}
