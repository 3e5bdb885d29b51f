import { InvalidArgumentError } from "../errors/index.ts";
import { MAX_LOG_SCORE, type ByCandidate } from "../schema/index.ts";
import { sharedCandidates, valuesOf } from "./by-candidate.ts";
import type { FlooredLabels } from "./diagnose-transition.ts";
import { marginGain } from "./margin-gain.ts";
import { margin } from "./margin.ts";

/** Floor scores that show how far margin gains depend on the chosen one, −20. */
export const FLOORS: readonly number[] = [-10, -20, -30];

/** The margin gain of one step with another floor score. */
export interface FloorReading {
  floor: number;
  /** Nats. */
  marginGain: number;
}

/** Log scores of both states, one record a mapping, and which of them are floors. */
export interface FlooredTransition {
  before: readonly ByCandidate[];
  after: readonly ByCandidate[];
  flooredBefore?: readonly FlooredLabels[];
  flooredAfter?: readonly FlooredLabels[];
}

/**
 * Margin gain of a step when its floored scores, and no others, are put at other values.
 *
 * A floored label that is known to have been at or below a bound is put no higher than that: a floor
 * above the lowest listed score would rank an absent label before a listed one.
 *
 * @param floors nats, finite
 * @throws InvalidArgumentError as diagnoseTransition does, and for a floor not within ±1e6
 */
export function floorSensitivity(
  transition: FlooredTransition,
  targetId: string,
  floors: readonly number[] = FLOORS,
): FloorReading[] {
  const ids = sharedCandidates(transition.before, transition.after);
  const target = ids.indexOf(targetId);
  if (target < 0) throw new InvalidArgumentError("targetId", "one of the scored candidates", targetId);
  return floors.map((floor) => {
    if (!(Math.abs(floor) <= MAX_LOG_SCORE)) {
      throw new InvalidArgumentError("floors", `finite numbers within ±${MAX_LOG_SCORE}`, floor);
    }
    const margins = (states: readonly ByCandidate[], floored: readonly FlooredLabels[] | undefined) =>
      states.map((scores, b) => margin(replaced(scores, ids, floored?.[b], floor), target));
    const before = margins(transition.before, transition.flooredBefore);
    return { floor, marginGain: marginGain(before, margins(transition.after, transition.flooredAfter)) };
  });
}

function replaced(
  scores: ByCandidate,
  ids: readonly string[],
  floored: FlooredLabels | undefined,
  floor: number,
): number[] {
  const values = valuesOf(scores, ids);
  if (floored === undefined) return values;
  const put = Math.min(floor, floored.bound ?? Infinity);
  return values.map((value, c) => (floored.ids.includes(ids[c]!) ? put : value));
}
