import { deepStrictEqual } from "node:assert/strict";
import type { Tally } from "../tally.ts";
import type { ComparisonJson, EffectJson, EstimateJson } from "./comparison-json.ts";
import { comparable, mirrored } from "./mirror.ts";
import type { OwnGain } from "./own-gains.ts";

/** A channel against itself: nothing, exactly, of everything that was measured. */
export function checkAgainstItself(comparison: ComparisonJson, steps: number, tally: Tally): void {
  const { all, clean, step_types, largest, coverage, differences, warnings } = comparison;
  const effects = [all, clean, ...step_types];
  tally.check(
    "direct against direct: all steps are pairs, and no setting differs",
    coverage.transitions === steps &&
      coverage.paired === steps &&
      all.pairs === steps &&
      step_types.reduce((sum, { pairs }) => sum + pairs, 0) === steps &&
      differences.length === 0 &&
      warnings.includes("same_protocol"),
    `${all.pairs} pairs`,
  );
  tally.check(
    "direct against direct: every effect and both ends of every interval are exactly 0",
    effects.every(({ signed, absolute }) => isExactly(signed, 0) && isExactly(absolute, 0)) &&
      largest.every(({ effect }) => effect === 0),
    `${effects.length} sets of pairs`,
  );
  tally.check(
    "direct against direct: no sign disagrees, and damage and repair are the same steps",
    effects.every(
      ({ pairs, sign_disagreement: signs, damage, repair }) =>
        signs.disagree + signs.only_a_moved + signs.only_b_moved === 0 &&
        signs.both_moved + signs.neither_moved === pairs &&
        [damage, repair].every(({ a, b, both, only_a, only_b }) => {
          return a.count === both && b.count === both && only_a + only_b === 0;
        }),
    ),
  );
}

/** The same two channels the other way round: every sign flips, every interval is turned about zero. */
export function checkMirror(forward: ComparisonJson, backward: ComparisonJson, tally: Tally): void {
  const what = `${forward.a.name} against ${forward.b.name}: exchanged, every sign flips exactly`;
  try {
    deepStrictEqual(comparable(backward), mirrored(forward));
    tally.check(what, true);
  } catch (error) {
    tally.check(what, false, (error as Error).message.slice(0, 1500));
  }
}

/** The files' effects, held against gains that were computed here from the score records alone. */
export function checkAgainstRecords(
  comparison: ComparisonJson,
  own: readonly OwnGain[],
  baseline: readonly OwnGain[],
  tally: Tally,
): void {
  const { a, all, largest } = comparison;
  const of = new Map(baseline.map((step) => [placeOf(step), step]));
  const pairs = own.flatMap((step) => {
    const other = of.get(placeOf(step));
    return other === undefined ? [] : [{ ...step, effect: step.gain - other.gain }];
  });
  const effects = pairs.map(({ effect }) => effect);
  const [low, high] = [Math.min(...effects), Math.max(...effects)];
  const size = Math.max(Math.abs(low), Math.abs(high));
  const means = trajectoryMeans(pairs);
  const inside = (estimate: EstimateJson, from: number, to: number) =>
    [estimate.interval?.low, estimate.interval?.high].every(
      (end) => end === undefined || (end >= from - ROUNDING && end <= to + ROUNDING),
    );
  tally.check(
    `${a.name}: mean gain, effect and absolute effect as the score records have them`,
    all.pairs === pairs.length &&
      isNear(all.a.mean, meanOf(pairs.map(({ gain }) => gain))) &&
      isNear(all.signed.mean, meanOf(effects)) &&
      isNear(all.absolute.mean, meanOf(effects.map(Math.abs))),
    `${pairs.length} pairs`,
  );
  tally.check(
    `${a.name}: effects lie within what single steps show`,
    all.signed.mean! >= -size - ROUNDING &&
      all.signed.mean! <= size + ROUNDING &&
      Math.abs(all.signed.mean!) <= all.absolute.mean! + ROUNDING &&
      all.absolute.mean! <= size + ROUNDING &&
      // A resampled mean is a weighted mean of the trajectories' own means.
      inside(all.signed, Math.min(...means), Math.max(...means)) &&
      inside(all.absolute, 0, size) &&
      largest.every(({ effect }) => effect >= low - ROUNDING && effect <= high + ROUNDING) &&
      isNear(Math.abs(largest[0]?.effect ?? 0), largest.length === 0 ? 0 : size),
    `${low.toFixed(3)} to ${high.toFixed(3)} nats`,
  );
  tally.check(
    `${a.name}: signs, damage and repair as the score records have them`,
    checkCounts(comparison, pairs, of),
  );
}

/** What counts as zero where the toolkit says nothing else, and what sums in another order may differ by. */
const ZERO = 1e-9;
const ROUNDING = 1e-12;

type Pair = OwnGain & { effect: number };

function checkCounts(
  { a, all }: ComparisonJson,
  pairs: readonly Pair[],
  of: ReadonlyMap<string, OwnGain>,
): boolean {
  const count = (holds: (pair: Pair) => boolean) => pairs.filter(holds).length;
  const otherOf = (pair: Pair) => of.get(placeOf(pair))!.gain;
  const moved = (gain: number) => Math.abs(gain) > ZERO;
  return (
    a.signs.positive === count(({ gain }) => gain > ZERO) &&
    a.signs.negative === count(({ gain }) => gain < -ZERO) &&
    all.sign_disagreement.both_moved === count((pair) => moved(pair.gain) && moved(otherOf(pair))) &&
    all.sign_disagreement.disagree ===
      count((pair) => moved(pair.gain) && moved(otherOf(pair)) && pair.gain * otherOf(pair) < 0) &&
    all.damage.a.count === count((pair) => pair.marginBefore > ZERO && pair.marginAfter <= ZERO) &&
    all.repair.a.count === count((pair) => pair.marginBefore <= ZERO && pair.marginAfter > ZERO)
  );
}

/** A channel that shows nothing of the state gains nothing, exactly. */
export function checkNoGain({ a, all }: ComparisonJson, own: readonly OwnGain[], tally: Tally): void {
  tally.check(
    `${a.name}: every gain is exactly 0, in the score records and in the comparison`,
    own.length === all.pairs && own.every(({ gain }) => gain === 0) && isExactly(all.a, 0),
    `${own.length} steps`,
  );
}

/** Two channels that send the same requests: the same numbers. */
export function checkSameNumbers(comparison: ComparisonJson, namesake: ComparisonJson, tally: Tally): void {
  const numbers = ({ all, clean, step_types: types, largest }: ComparisonJson) =>
    JSON.stringify([all, clean, types, largest] satisfies [EffectJson, EffectJson, unknown, unknown]);
  tally.check(
    `${comparison.a.name}: the same numbers as ${namesake.a.name}, whose requests it shares`,
    numbers(comparison) === numbers(namesake),
  );
}

function isExactly({ mean, interval }: EstimateJson, value: number): boolean {
  return mean === value && (interval === undefined || (interval.low === value && interval.high === value));
}

function isNear(value: number | undefined, own: number): boolean {
  return value !== undefined && Math.abs(value - own) <= ROUNDING * Math.max(1, Math.abs(own));
}

function placeOf({ trajectoryId, stepId }: OwnGain): string {
  return JSON.stringify([trajectoryId, stepId]);
}

function trajectoryMeans(pairs: readonly Pair[]): number[] {
  const effects = new Map<string, number[]>();
  for (const { trajectoryId, effect } of pairs)
    effects.set(trajectoryId, [...(effects.get(trajectoryId) ?? []), effect]);
  return [...effects.values()].map(meanOf);
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
