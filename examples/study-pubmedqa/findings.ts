import { trajectoryBootstrap, type Interval } from "@agent-step-value/sdk";
import type { Measured } from "./measure.ts";
import { sectionGroup, SECTION_GROUPS } from "./section-group.ts";

/** Beliefs closer than this are tied: which of them is largest is a matter of rounding. */
const TIE = 1e-9;

/**
 * How often the last state's highest belief is on the target. A target that shares the highest belief
 * with m − 1 others counts 1/m, which is what a blind draw among them would get.
 */
export interface Accuracy {
  questions: number;
  /** Over all candidates; none-of-the-above on top counts as wrong. */
  correct: number;
  noneOnTop: number;
  /** Over yes, no and maybe alone. */
  correctAmongVerdicts: number;
  /** What always saying the most frequent target would get. */
  majority: number;
  /** Questions by the verdict with the highest belief; `tied` where there is more than one. */
  verdicts: Record<string, number>;
}

export function finalAccuracy({ trajectories, steps }: Measured): Accuracy {
  const targets = trajectories.map(({ task }) => task.candidateSpace.goldCandidateId);
  const beliefs = steps.map((own) => Object.entries(own.at(-1)?.diagnostics?.beliefAfter ?? {}));
  const tops = beliefs.map(highest);
  const verdicts = beliefs.map((rows) => highest(rows.filter(([id]) => id !== "none-of-the-above")));
  const credit = (ids: readonly string[][]): number =>
    ids.reduce((sum, own, i) => sum + (own.includes(targets[i] ?? "") ? 1 / own.length : 0), 0);
  return {
    questions: trajectories.length,
    correct: credit(tops),
    noneOnTop: tops.filter((ids) => ids.includes("none-of-the-above")).length,
    correctAmongVerdicts: credit(verdicts),
    majority: Math.max(...Object.values(tally(targets))),
    verdicts: tally(verdicts.map((ids) => (ids.length > 1 ? "tied" : ids[0]))),
  };
}

function highest(beliefs: readonly [string, number][]): string[] {
  const top = Math.max(...beliefs.map(([, belief]) => belief));
  return beliefs.flatMap(([id, belief]) => (top - belief <= TIE ? [id] : []));
}

function tally(words: readonly (string | undefined)[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const word of words) if (word !== undefined) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
}

/** Margin gain of the steps of one group. */
export interface GroupGain {
  group: string;
  steps: number;
  trajectories: number;
  mean: number;
  interval?: Interval;
  positive: number;
  zero: number;
  negative: number;
}

/** Mean G by section group, with intervals from resampled trajectories. */
export function gainsByGroup({ steps }: Measured, options: { resamples: number; seed: number }): GroupGain[] {
  return SECTION_GROUPS.flatMap((group): GroupGain[] => {
    const gains = steps.map((own) =>
      own.flatMap(({ action, diagnostics }) =>
        sectionGroup(action) === group && diagnostics?.marginGain !== undefined
          ? [diagnostics.marginGain]
          : [],
      ),
    );
    const all = gains.flat();
    if (all.length === 0) return [];
    const sums = gains.map((own) => own.reduce((sum, gain) => sum + gain, 0));
    const counts = gains.map((own) => own.length);
    const trajectories = counts.filter((count) => count > 0).length;
    return [
      {
        group,
        steps: all.length,
        trajectories,
        mean: all.reduce((sum, gain) => sum + gain, 0) / all.length,
        ...(trajectories < 5 ? {} : { interval: trajectoryBootstrap(sums, counts, options) }),
        positive: all.filter((gain) => gain > 1e-9).length,
        zero: all.filter((gain) => Math.abs(gain) <= 1e-9).length,
        negative: all.filter((gain) => gain < -1e-9).length,
      },
    ];
  });
}

/** Largest difference of a final-state log score between two measurements, nats; NaN where one lacks a score. */
export function largestDifference(a: Measured, b: Measured): number {
  const differences = a.finalScores.flatMap((mappings, i) =>
    mappings.flatMap((scores, row) =>
      Object.entries(scores).map(([id, value]) =>
        Math.abs(value - (b.finalScores[i]?.[row]?.[id] ?? Number.NaN)),
      ),
    ),
  );
  return Math.max(0, ...differences);
}
