import { MARGIN_JITTER, MARGIN_SIZE } from "./study-scores.ts";
import { flipChance, STUDY_CHANNELS, type StepLaw, type StudyChannel, type StudyLaw } from "./study-law.ts";

/** The true values of one channel over a set of steps. */
export interface ChannelTruth {
  /** Mean margin gain, nats. */
  meanGain: number;
  /** Shares of all steps. */
  damageRate: number;
  repairRate: number;
  /** Share of steps at which the target is first choice before. */
  eligibleForDamage: number;
}

/** The true values of both channels over a set of steps; effects are rationale-128 minus direct. */
export interface EffectTruth {
  channels: Readonly<Record<StudyChannel, ChannelTruth>>;
  signedEffect: number;
  absoluteEffect: number;
  /** Share of steps that move in both channels, and of these the share with opposite signs. */
  bothMovedRate: number;
  signDisagreement: number;
}

/** What every estimate of a study should come to, computed from its law without drawing anything. */
export interface StudyTruth extends EffectTruth {
  stepTypes: readonly (EffectTruth & { action: string })[];
}

/**
 * True values of a law, by enumerating where both channels can be before each step.
 *
 * A flip moves the margin by 2 {@link MARGIN_SIZE} on average. Two flips the same way leave a difference
 * that is the sum of four jitters uniform on ±{@link MARGIN_JITTER}, whose mean size is 14/15 of it.
 */
export function studyTruth(law: StudyLaw): StudyTruth {
  const sums = law.steps.map(() => emptySums());
  for (const temperament of law.temperaments) {
    let at = startOf(law);
    law.steps.forEach((step, i) => {
      at = advance(at, step, temperament, sums[i]!, 1 / law.temperaments.length);
    });
  }
  const all = sums.reduce(addSums, emptySums());
  return {
    ...truthOf(all, law.steps.length),
    stepTypes: law.steps.map(({ action }, i) => ({ action, ...truthOf(sums[i]!, 1) })),
  };
}

/** Chance of each pair of first choices: index 2 · (direct has the target) + (rationale has it). */
type Joint = readonly number[];

interface Sums {
  damage: number[];
  repair: number[];
  first: number[];
  bothMoved: number;
  opposite: number;
  absolute: number;
}

function emptySums(): Sums {
  return { damage: [0, 0], repair: [0, 0], first: [0, 0], bothMoved: 0, opposite: 0, absolute: 0 };
}

function addSums(x: Sums, y: Sums): Sums {
  const add = (a: readonly number[], b: readonly number[]) => a.map((value, i) => value + b[i]!);
  return {
    damage: add(x.damage, y.damage),
    repair: add(x.repair, y.repair),
    first: add(x.first, y.first),
    bothMoved: x.bothMoved + y.bothMoved,
    opposite: x.opposite + y.opposite,
    absolute: x.absolute + y.absolute,
  };
}

function startOf({ start }: StudyLaw): Joint {
  const [d, r] = STUDY_CHANNELS.map((channel) => start[channel]) as [number, number];
  return [(1 - d) * (1 - r), (1 - d) * r, d * (1 - r), d * r];
}

/** One step: adds its expected moves to the sums, and returns where the channels are after it. */
function advance(at: Joint, step: StepLaw, temperament: number, sums: Sums, weight: number): Joint {
  const after = [0, 0, 0, 0];
  for (let place = 0; place < 4; place++) {
    const has = [(place & 2) !== 0, (place & 1) !== 0];
    const chance = at[place]! * weight;
    has.forEach((first, c) => (sums.first[c]! += first ? chance : 0));
    const flips = STUDY_CHANNELS.map((channel, c) => {
      const { damage, repair } = step.flips[channel];
      return flipChance(has[c]! ? damage : repair, temperament, step.eventful);
    });
    after[place]! += at[place]! * (1 - step.eventful);
    for (let moved = 0; moved < 4; moved++) {
      const moves = [(moved & 2) !== 0, (moved & 1) !== 0];
      const part = moves.reduce((p, moves1, c) => p * (moves1 ? flips[c]! : 1 - flips[c]!), step.eventful);
      after[place ^ moved]! += at[place]! * part;
      tally(sums, has, moves, chance * part);
    }
  }
  return after;
}

function tally(sums: Sums, has: readonly boolean[], moves: readonly boolean[], chance: number): void {
  moves.forEach((moved, c) => {
    if (moved && has[c]) sums.damage[c]! += chance;
    else if (moved) sums.repair[c]! += chance;
  });
  const count = moves.filter(Boolean).length;
  if (count === 1) sums.absolute += chance * 2 * MARGIN_SIZE;
  if (count < 2) return;
  sums.bothMoved += chance;
  if (has[0] === has[1]) {
    sums.absolute += (chance * 14 * MARGIN_JITTER) / 15;
    return;
  }
  sums.opposite += chance;
  sums.absolute += chance * 4 * MARGIN_SIZE;
}

function truthOf(sums: Sums, steps: number): EffectTruth {
  const [direct, rationale] = [0, 1].map((c): ChannelTruth => ({
    meanGain: (2 * MARGIN_SIZE * (sums.repair[c]! - sums.damage[c]!)) / steps,
    damageRate: sums.damage[c]! / steps,
    repairRate: sums.repair[c]! / steps,
    eligibleForDamage: sums.first[c]! / steps,
  })) as [ChannelTruth, ChannelTruth];
  return {
    channels: { direct, "rationale-128": rationale },
    signedEffect: rationale.meanGain - direct.meanGain,
    absoluteEffect: sums.absolute / steps,
    bothMovedRate: sums.bothMoved / steps,
    signDisagreement: sums.opposite / sums.bothMoved,
  };
}
