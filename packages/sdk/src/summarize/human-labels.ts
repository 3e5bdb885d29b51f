import { positionBaselines, type PositionBaselines } from "./constant-position.ts";
import { hitWithin, normalisedRank, reciprocalRank, tieGroups, type LabelRank } from "./label-rank.ts";
import { randomHits, type RandomHits } from "./random-hits.ts";
import { randomRankBand, type RandomRankBand, type RankLadder } from "./random-rank-band.ts";

/** One trajectory with exactly one labelled step. */
export interface LabelledTrajectory {
  /** 0-based place of the labelled step among the steps of its trajectory. */
  labelledIndex: number;
  /** Steps of the trajectory, measured or not. */
  steps: number;
  /** Measured steps in any order. NaN where a step has surprise but no gain. */
  gains: readonly number[];
  surprises: readonly number[];
  /** Position of the labelled step in those lists; undefined when it was not measured. */
  labelled: number | undefined;
}

/** Labelled steps among the k most suspicious of their trajectory. */
export interface HitRate extends RandomHits {
  k: number;
  /** Fractional under ties: the chance with ties broken at random. */
  hits: number;
  rate: number;
  expectedRate: number;
}

/** How high one quantity ranks the labelled steps within their trajectories. */
export interface LabelRanking {
  /** Trajectories whose labelled step could be ranked among at least two steps. */
  trajectories: number;
  /** Trajectories where it could not. They are in no rate here. */
  unranked: number;
  /** Mean of (r − 1) / (n − 1) with mean ranks for ties: 0 best, 0.5 chance. */
  meanRank: number;
  /** Where that mean falls by chance, given these ties. */
  random: RandomRankBand;
  /** For k = 1, 2, 3. */
  hits: HitRate[];
  meanReciprocalRank: number;
  /**
   * What positions alone give on the ranked trajectories, the ones all rates here are about. Places count
   * all steps of a trajectory, measured or not.
   */
  positions: PositionBaselines;
}

/** Human verdicts on steps against what was measured. */
export interface HumanLabels {
  /** Trajectories with exactly one labelled step. A ranking is about those it could rank. */
  trajectories: number;
  /** Trajectories with more than one labelled step, left out. */
  severalLabels: number;
  /**
   * Over all of these trajectories, ranked or not: what the labels say of positions. To compare a ranking
   * with, take the ranking's own.
   */
  positions: PositionBaselines;
  /** Most negative margin gain first. Absent when no labelled step can be ranked. */
  byMarginGain?: LabelRanking;
  /** Largest surprise first. */
  bySurprise?: LabelRanking;
}

/**
 * Rank statistics of the labelled steps within their trajectories, against chance and against what
 * position alone would say.
 *
 * @param options.tolerance values within it are tied, nats
 * @param options.seed of the Monte Carlo, where the exact distribution would cost too much
 * @returns undefined when no trajectory has exactly one labelled step
 */
export function humanLabels(
  trajectories: readonly LabelledTrajectory[],
  options: { severalLabels: number; tolerance: number; seed: number },
): HumanLabels | undefined {
  if (trajectories.length === 0) return undefined;
  const byMarginGain = rankBy(trajectories, ({ gains }) => gains.map((gain) => -gain), options);
  const bySurprise = rankBy(trajectories, ({ surprises }) => surprises, options);
  return {
    trajectories: trajectories.length,
    severalLabels: options.severalLabels,
    positions: positionsOf(trajectories),
    ...(byMarginGain === undefined ? {} : { byMarginGain }),
    ...(bySurprise === undefined ? {} : { bySurprise }),
  };
}

function rankBy(
  trajectories: readonly LabelledTrajectory[],
  suspicionOf: (trajectory: LabelledTrajectory) => readonly number[],
  { tolerance, seed }: { tolerance: number; seed: number },
): LabelRanking | undefined {
  const ranks: LabelRank[] = [];
  const ladders: RankLadder[] = [];
  const population: LabelledTrajectory[] = [];
  for (const trajectory of trajectories) {
    const ranked = rankOne(suspicionOf(trajectory), trajectory.labelled, tolerance);
    if (ranked === undefined) continue;
    ranks.push(ranked.rank);
    ladders.push(ranked.ladder);
    population.push(trajectory);
  }
  if (ranks.length === 0) return undefined;
  const meanRank = mean(ranks.map(normalisedRank));
  return {
    trajectories: ranks.length,
    unranked: trajectories.length - ranks.length,
    meanRank,
    random: randomRankBand(ladders, meanRank, seed),
    hits: [1, 2, 3].map((k) => hitRate(k, ranks)),
    meanReciprocalRank: mean(ranks.map(reciprocalRank)),
    positions: positionsOf(population),
  };
}

function positionsOf(trajectories: readonly LabelledTrajectory[]): PositionBaselines {
  return positionBaselines(
    trajectories.map(({ labelledIndex }) => labelledIndex),
    trajectories.map(({ steps }) => steps),
  );
}

/** Steps without the quantity take no part; a labelled step without it cannot be ranked. */
function rankOne(
  suspicion: readonly number[],
  labelled: number | undefined,
  tolerance: number,
): { rank: LabelRank; ladder: RankLadder } | undefined {
  if (labelled === undefined || Number.isNaN(suspicion[labelled]!)) return undefined;
  const values = suspicion.filter((value) => !Number.isNaN(value));
  const steps = values.length;
  if (steps < 2) return undefined;
  const place = suspicion.slice(0, labelled).filter((value) => !Number.isNaN(value)).length;
  const groups = tieGroups(values, tolerance);
  const { first, last } = groups.find(({ members }) => members.includes(place))!;
  const doubledRanks = groups.flatMap((group) => group.members.map(() => group.first + group.last));
  return { rank: { steps, first, last }, ladder: { steps, doubledRanks } };
}

function hitRate(k: number, ranks: readonly LabelRank[]): HitRate {
  const hits = ranks.reduce((sum, rank) => sum + hitWithin(k, rank), 0);
  const random = randomHits(
    k,
    ranks.map(({ steps }) => steps),
    hits,
  );
  return { k, hits, rate: hits / ranks.length, expectedRate: random.expected / ranks.length, ...random };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
