import { InvalidArgumentError } from "../errors/index.ts";
import { MAX_LOG_SCORE, type ByCandidate, type QualityFlag, type StepDiagnostics } from "../schema/index.ts";
import { belief } from "./belief.ts";
import { byCandidate, sharedCandidates, valuesOf } from "./by-candidate.ts";
import { isDamage, isRepair } from "./damage-repair.ts";
import { entropyMovement } from "./entropy-movement.ts";
import { floorInterval, type FlooredScores } from "./floor-interval.ts";
import { layoutSpread } from "./layout-spread.ts";
import { marginGain } from "./margin-gain.ts";
import { margin } from "./margin.ts";
import { meanBelief } from "./mean-belief.ts";
import { surprise, SURPRISE_EPSILON } from "./surprise.ts";

/** A number this close to zero counts as zero, in nats. */
export const ZERO_TOLERANCE = 1e-9;

/** Candidates of one state under one mapping whose label was absent, and how high they can have been. */
export interface FlooredLabels {
  ids: readonly string[];
  /** Highest log score an absent label can have had, nats; absent when nothing is known. */
  bound?: number | undefined;
}

export interface TransitionScores {
  /** ℓ of the before-state: one record of candidate id to log score (nats) a label mapping. */
  before: readonly ByCandidate[];
  /** ℓ of the after-state, the same mappings in the same order. */
  after: readonly ByCandidate[];
  /** The reviewed target. Without it the margins are absent and the flag `no_target` is set. */
  targetId?: string | undefined;
  /** Weight of the uniform part in surprise. Default {@link SURPRISE_EPSILON}. */
  epsilon?: number;
  /** Margins up to this count as not positive. Default {@link ZERO_TOLERANCE}. */
  zeroTolerance?: number;
  /** Floored candidates of the before-state, one entry a mapping. */
  flooredBefore?: readonly FlooredLabels[];
  flooredAfter?: readonly FlooredLabels[];
}

/**
 * All diagnostics of one transition (paper section 3.3), from log scores.
 *
 * @throws InvalidArgumentError when the mappings differ in number or candidates, a score or the
 *   bound of a floored one is not within ±1e6, there are fewer than two candidates, the target is not one
 *   of them, or ε or the tolerance is out of range
 */
export function diagnoseTransition(scores: TransitionScores): StepDiagnostics {
  const { before, after, targetId, epsilon = SURPRISE_EPSILON, zeroTolerance = ZERO_TOLERANCE } = scores;
  checkEpsilon(epsilon);
  if (!(zeroTolerance >= 0)) {
    throw new InvalidArgumentError("zeroTolerance", "a number of at least 0 (nats)", zeroTolerance);
  }
  const ids = sharedCandidates(before, after);
  const from = before.map((record) => valuesOf(record, ids));
  const to = after.map((record) => valuesOf(record, ids));
  const diagnostics = measureBeliefs(ids, from.map(belief), to.map(belief), epsilon);
  if (from.some(isDegenerate) || to.some(isDegenerate)) diagnostics.flags.push("degenerate_distribution");
  const flooredFrom = readFloored(from, scores.flooredBefore, ids, "flooredBefore");
  const flooredTo = readFloored(to, scores.flooredAfter, ids, "flooredAfter");
  const isFloored = [...flooredFrom, ...flooredTo].some((state) => state.floored !== undefined);
  if (isFloored) diagnostics.flags.push("floor");
  if (targetId === undefined) {
    diagnostics.flags.push("no_target");
    return diagnostics;
  }
  const target = ids.indexOf(targetId);
  if (target < 0) throw new InvalidArgumentError("targetId", "one of the scored candidates", targetId);
  measureMargins(diagnostics, from, to, target, zeroTolerance);
  if (isFloored) diagnostics.floorInterval = floorInterval(flooredFrom, flooredTo, target);
  return diagnostics;
}

/** The part that beliefs alone determine: entropies, surprise, mean beliefs. No flag is set. */
export function measureBeliefs(
  ids: readonly string[],
  before: readonly (readonly number[])[],
  after: readonly (readonly number[])[],
  epsilon: number,
): StepDiagnostics {
  const entropies = entropyMovement(before, after);
  const meanBefore = meanBelief(before);
  const meanAfter = meanBelief(after);
  return {
    beliefBefore: byCandidate(ids, meanBefore),
    beliefAfter: byCandidate(ids, meanAfter),
    entropyBefore: entropies.before,
    entropyAfter: entropies.after,
    entropyMovement: entropies.movement,
    surprise: surprise(meanBefore, meanAfter, epsilon),
    flags: [] as QualityFlag[],
  };
}

export function checkEpsilon(epsilon: number): void {
  if (!(epsilon > 0 && epsilon < 1)) {
    throw new InvalidArgumentError("epsilon", "a number above 0 and below 1", epsilon);
  }
}

function measureMargins(
  diagnostics: StepDiagnostics,
  from: readonly number[][],
  to: readonly number[][],
  target: number,
  zeroTolerance: number,
): void {
  const before = from.map((values) => margin(values, target));
  const after = to.map((values) => margin(values, target));
  const marginBefore = before.reduce((sum, value) => sum + value, 0) / before.length;
  const marginAfter = after.reduce((sum, value) => sum + value, 0) / after.length;
  diagnostics.marginBefore = marginBefore;
  diagnostics.marginAfter = marginAfter;
  diagnostics.marginGain = marginGain(before, after);
  diagnostics.damage = isDamage(marginBefore, marginAfter, zeroTolerance);
  diagnostics.repair = isRepair(marginBefore, marginAfter, zeroTolerance);
  diagnostics.layoutSpread = layoutSpread(after.map((value, b) => value - before[b]!));
}

function isDegenerate(values: readonly number[]): boolean {
  return values.every((value) => value === values[0]);
}

function readFloored(
  states: readonly (readonly number[])[],
  labels: readonly FlooredLabels[] | undefined,
  ids: readonly string[],
  argument: string,
): FlooredScores[] {
  if (labels !== undefined && labels.length !== states.length) {
    throw new InvalidArgumentError(argument, `one entry a mapping (${states.length})`, labels);
  }
  return states.map((scores, b) => {
    const label = labels?.[b];
    if (label === undefined || label.ids.length === 0) return { scores };
    for (const id of label.ids) {
      if (!ids.includes(id)) throw new InvalidArgumentError(argument, "ids of scored candidates", id);
    }
    if (label.bound !== undefined && !(Math.abs(label.bound) <= MAX_LOG_SCORE)) {
      const expected = `a finite number within ±${MAX_LOG_SCORE}`;
      throw new InvalidArgumentError(`${argument}[${b}].bound`, expected, label.bound);
    }
    return { scores, floored: ids.map((id) => label.ids.includes(id)), bound: label.bound };
  });
}
