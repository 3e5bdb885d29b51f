import { createRandom, RANDOM_NAME } from "../math/index.ts";

/** Where the mean normalised rank falls when each trajectory's label sits on a random step. */
export interface RandomRankBand {
  method: "exact" | "monte_carlo";
  /** 2.5 % and 97.5 % points. */
  low: number;
  high: number;
  /** Chance of a mean rank as low as the observed one, or lower. */
  pValue: number;
  /** Twice the smaller tail, at most 1. */
  pValueTwoSided: number;
  /** Of the Monte Carlo: how many draws, from which seed and generator. */
  draws?: number;
  seed?: number;
  random?: string;
}

/** The ranks a random label can have in one trajectory: rank·2 of each step, ties at their mean. */
export interface RankLadder {
  steps: number;
  doubledRanks: readonly number[];
}

const MAX_CELLS = 8_000_000;
const MAX_WORK = 400_000_000;
const DRAWS = 100_000;
const TAIL = 0.025;
/** A share that is a tail exactly may come out a rounding below it. */
const SLACK = 1e-12;

/**
 * Distribution of the mean normalised rank under a uniformly random label, given the ties.
 *
 * The normalised ranks of a trajectory of n steps are multiples of 1 / (2 (n − 1)), so the sum over
 * trajectories lives on an integer grid and its distribution is an exact convolution. Where the grid
 * would be too large (many different lengths), 100,000 seeded draws stand in and the result says so.
 */
export function randomRankBand(
  ladders: readonly RankLadder[],
  observedMean: number,
  seed: number,
): RandomRankBand {
  const grid = commonGrid(ladders);
  return grid === undefined ? simulate(ladders, observedMean, seed) : convolve(ladders, grid, observedMean);
}

/** Grid steps a unit, or undefined when convolving on it would cost too much. */
function commonGrid(ladders: readonly RankLadder[]): number | undefined {
  let grid = 1;
  let work = 0;
  for (const { steps, doubledRanks } of ladders) {
    let unit = 2 * (steps - 1);
    for (const rank of doubledRanks) unit = gcd(unit, rank - 2);
    const needed = (2 * (steps - 1)) / unit;
    grid = (grid / gcd(grid, needed)) * needed;
    if (grid * ladders.length > MAX_CELLS) return undefined;
    work += new Set(doubledRanks).size;
  }
  return (work * grid * ladders.length) / 2 > MAX_WORK ? undefined : grid;
}

function convolve(ladders: readonly RankLadder[], grid: number, observedMean: number): RandomRankBand {
  let mass = new Float64Array([1]);
  for (const { steps, doubledRanks } of ladders) {
    const shares = new Map<number, number>();
    for (const rank of doubledRanks) {
      const cell = Math.round(((rank - 2) * grid) / (2 * (steps - 1)));
      shares.set(cell, (shares.get(cell) ?? 0) + 1 / steps);
    }
    const next = new Float64Array(mass.length + grid);
    for (const [cell, share] of shares) {
      for (let i = 0; i < mass.length; i++) next[i + cell]! += mass[i]! * share;
    }
    mass = next;
  }
  const cells = grid * ladders.length;
  const observed = Math.round(observedMean * cells);
  let below = 0;
  let low: number | undefined;
  let high: number | undefined;
  let atMost = 0;
  // Summed from its own end: 1 minus the rest would lose a small tail to rounding.
  let atLeast = 0;
  for (let i = mass.length - 1; i >= observed; i--) atLeast += mass[i]!;
  for (let i = 0; i < mass.length; i++) {
    below += mass[i]!;
    if (i === observed) atMost = below;
    if (low === undefined && below >= TAIL - SLACK) low = i / cells;
    if (high === undefined && below >= 1 - TAIL - SLACK) high = i / cells;
  }
  return { method: "exact", low: low!, high: high!, ...pValues(atMost, atLeast) };
}

function simulate(ladders: readonly RankLadder[], observedMean: number, seed: number): RandomRankBand {
  const random = createRandom(seed);
  const means = new Float64Array(DRAWS);
  for (let draw = 0; draw < DRAWS; draw++) {
    let sum = 0;
    for (const { steps, doubledRanks } of ladders) {
      sum += (doubledRanks[random.below(steps)]! - 2) / (2 * (steps - 1));
    }
    means[draw] = sum / ladders.length;
  }
  means.sort();
  const atMost = means.filter((mean) => mean <= observedMean + SLACK).length;
  const atLeast = means.filter((mean) => mean >= observedMean - SLACK).length;
  return {
    method: "monte_carlo",
    low: means[Math.ceil(TAIL * DRAWS) - 1]!,
    high: means[Math.ceil((1 - TAIL) * DRAWS) - 1]!,
    // One is added to both so that no finite number of draws claims an impossible event.
    ...pValues((atMost + 1) / (DRAWS + 1), (atLeast + 1) / (DRAWS + 1)),
    draws: DRAWS,
    seed,
    random: RANDOM_NAME,
  };
}

function pValues(atMost: number, atLeast: number): Pick<RandomRankBand, "pValue" | "pValueTwoSided"> {
  return { pValue: Math.min(1, atMost), pValueTwoSided: Math.min(1, 2 * Math.min(atMost, atLeast)) };
}

function gcd(a: number, b: number): number {
  while (b !== 0) [a, b] = [b, a % b];
  return a;
}
