import { InvalidArgumentError } from "../errors/index.ts";

/** How often one fixed step index is the labelled one. */
export interface ConstantPosition {
  step: number;
  hits: number;
  rate: number;
}

/** What a ranking by position alone, earliest step first, gives on these labels. */
export interface EarliestFirst {
  /** Mean of index / (n − 1): 0 when all labels are on the first step. */
  meanRank: number;
  /** Labels within the first k steps, for k = 1, 2, 3. */
  hits: { k: number; hits: number; rate: number }[];
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
  /** Absent where a trajectory has a single step, which cannot be ranked. */
  earliestFirst?: EarliestFirst;
}

/**
 * Hit rates of predictors that know only positions.
 *
 * @param places 0-based place of the labelled step of each trajectory, at least one
 * @param steps number of steps of each trajectory, same order
 * @throws InvalidArgumentError for a place that its trajectory does not have
 */
export function positionBaselines(places: readonly number[], steps: readonly number[]): PositionBaselines {
  places.forEach((place, i) => {
    const isThere = Number.isInteger(place) && place >= 0 && place < steps[i]!;
    if (!isThere) throw new InvalidArgumentError(`places[${i}]`, `a place from 0 below ${steps[i]}`, place);
  });
  const hits = new Map<number, number>();
  for (const index of places) hits.set(index, (hits.get(index) ?? 0) + 1);
  const at = (step: number): ConstantPosition => {
    const count = hits.get(step) ?? 0;
    return { step, hits: count, rate: count / places.length };
  };
  let best = at(places[0]!);
  for (const step of hits.keys()) {
    const other = at(step);
    if (other.hits > best.hits || (other.hits === best.hits && step < best.step)) best = other;
  }
  const uniformRate = steps.reduce((sum, n) => sum + 1 / n, 0) / steps.length;
  const earliest = earliestFirst(places, steps);
  return {
    uniformRate,
    alwaysFirst: at(0),
    alwaysSecond: at(1),
    best,
    ...(earliest !== undefined && { earliestFirst: earliest }),
  };
}

function earliestFirst(places: readonly number[], steps: readonly number[]): EarliestFirst | undefined {
  if (steps.some((n) => n < 2)) return undefined;
  const count = places.length;
  return {
    meanRank: places.reduce((sum, place, i) => sum + place / (steps[i]! - 1), 0) / count,
    hits: [1, 2, 3].map((k) => {
      const hits = places.filter((place) => place < k).length;
      return { k, hits, rate: hits / count };
    }),
  };
}
