import type { Random } from "../../math/index.ts";
import type { ByCandidate } from "../../schema/index.ts";

/** Distance between the first choice and the nearest other candidate, on average, nats. */
export const MARGIN_SIZE = 19.5;

/** How far that distance strays, uniformly, from state to state. */
export const MARGIN_JITTER = 0.5;

/** ℓ of a first choice that takes all: the log of one minus what the others have. */
const TOP = -6e-9;

/** ℓ of candidates that are neither first choice nor its nearest: below any of the nearest. */
const FAR = -20.25;

/** What one channel makes of one state. */
export interface StateReading {
  /** Place of the first choice among the candidates. */
  top: number;
  /** ℓ(top) − ℓ(nearest other). */
  distance: number;
}

/** A first choice at a fresh distance. */
export function freshReading(top: number, random: Random): StateReading {
  return { top, distance: MARGIN_SIZE + MARGIN_JITTER * (2 * random.unit() - 1) };
}

/**
 * Log scores of a near-one-hot state. The target is always the nearest other candidate when it is not first,
 * so that a move between two wrong candidates leaves its margin exactly as it was.
 *
 * @param ids candidates by place
 * @param target place of the target
 */
export function scoresOf(
  { top, distance }: StateReading,
  ids: readonly string[],
  target: number,
): ByCandidate {
  const nearest = top === target ? (target + 1) % ids.length : target;
  return Object.fromEntries(
    ids.map((id, place) => [id, place === top ? TOP : place === nearest ? TOP - distance : FAR]),
  );
}

/** Place of the candidate that is furthest from the first choice: the one whose label may be missing. */
export function farthest({ top }: StateReading, target: number, count: number): number {
  const nearest = top === target ? (target + 1) % count : target;
  for (let place = count - 1; ; place--) if (place !== top && place !== nearest) return place;
}
