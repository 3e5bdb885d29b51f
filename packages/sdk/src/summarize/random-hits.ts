import { poissonBinomial } from "../math/index.ts";

/** How many labelled steps a uniformly random order puts among the first k. */
export interface RandomHits {
  /** Expected number. */
  expected: number;
  /** The smallest count that random orders exceed in at most 5 % and 1 % of cases. */
  upper95: number;
  upper99: number;
  /** Chance of as many hits as observed, or more; a fraction from ties counts as its whole part. */
  pValue: number;
}

/**
 * Exact distribution of hits@k under chance: trajectory i hits with chance min(k, n_i) / n_i, so the
 * count is Poisson-binomial.
 *
 * @param k how many of the most suspicious steps are looked at
 * @param steps number of ranked steps of each trajectory
 * @param observed hits observed, fractional under ties
 */
export function randomHits(k: number, steps: readonly number[], observed: number): RandomHits {
  const chances = steps.map((n) => Math.min(k, n) / n);
  const mass = poissonBinomial(chances);
  const floor = Math.floor(observed + 1e-9);
  let pValue = 0;
  for (let hits = mass.length - 1; hits >= floor; hits--) pValue += mass[hits]!;
  return {
    expected: chances.reduce((sum, chance) => sum + chance, 0),
    upper95: upper(mass, 0.95),
    upper99: upper(mass, 0.99),
    pValue: Math.min(1, pValue),
  };
}

/** Smallest count whose cumulative probability reaches the level. */
function upper(mass: Float64Array, level: number): number {
  let below = 0;
  for (let hits = 0; hits < mass.length; hits++) {
    below += mass[hits]!;
    if (below >= level - 1e-12) return hits; // a share that is the level exactly may come out a rounding below it
  }
  return mass.length - 1;
}
