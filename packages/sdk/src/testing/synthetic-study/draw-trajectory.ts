import type { Random } from "../../math/index.ts";
import { flipChance, STUDY_CHANNELS, type StudyChannel, type StudyLaw } from "./study-law.ts";
import { freshReading, type StateReading } from "./study-scores.ts";

/** Readings of each channel, one a state: before the first step, and after each. */
export type DrawnTrajectory = Readonly<Record<StudyChannel, readonly StateReading[]>>;

/**
 * Draws what both channels make of the states of one trajectory. A reading that does not move stays the same
 * to the last digit, so that its step has a gain of exactly 0.
 *
 * @param candidates how many there are
 * @param target place of the target
 */
export function drawTrajectory(
  law: StudyLaw,
  candidates: number,
  target: number,
  random: Random,
): DrawnTrajectory {
  const temperament = law.temperaments[random.below(law.temperaments.length)]!;
  const otherThan = (...places: number[]): number => {
    for (;;) {
      const place = random.below(candidates);
      if (!places.includes(place)) return place;
    }
  };
  const drawn = { direct: [] as StateReading[], "rationale-128": [] as StateReading[] };
  for (const channel of STUDY_CHANNELS) {
    const top = random.unit() < law.start[channel] ? target : otherThan(target);
    drawn[channel].push(freshReading(top, random));
  }
  for (const { eventful, flips } of law.steps) {
    const happens = random.unit() < eventful;
    for (const channel of STUDY_CHANNELS) {
      const before = drawn[channel].at(-1)!;
      const isFirst = before.top === target;
      const { damage, repair } = flips[channel];
      const flip = happens && random.unit() < flipChance(isFirst ? damage : repair, temperament, eventful);
      if (flip) drawn[channel].push(freshReading(isFirst ? otherThan(target) : target, random));
      else if (!isFirst && random.unit() < law.between) {
        drawn[channel].push({ ...before, top: otherThan(target, before.top) });
      } else drawn[channel].push(before);
    }
  }
  return drawn;
}
