import { ZERO_TOLERANCE, type DiagnosedStep } from "../diagnose/index.ts";
import { fsum } from "../math/index.ts";

/** What one trajectory comes to. Nats; absent is not zero. */
export interface TrajectorySummary {
  trajectoryId: string;
  steps: number;
  measured: number;
  /** Steps with a margin gain. */
  withMargin: number;
  meanMarginGain?: number;
  positive: number;
  zero: number;
  negative: number;
  /** Margin before the first measured step and after the last. */
  marginFirst?: number;
  marginLast?: number;
  meanSurprise?: number;
  maxSurprise?: number;
  meanEntropyMovement?: number;
  damage: number;
  repair: number;
  floored: number;
  /** Steps of lowest and highest margin gain, where it is not zero. */
  worstStepId?: string;
  bestStepId?: string;
}

/**
 * The row of one trajectory in a table of trajectories.
 *
 * @param steps all of its steps, in order
 * @param zeroTolerance gains within it are zero, nats
 */
export function trajectorySummary(
  trajectoryId: string,
  steps: readonly DiagnosedStep[],
  zeroTolerance: number = ZERO_TOLERANCE,
): TrajectorySummary {
  const measured = steps.flatMap(({ diagnostics }) => (diagnostics === undefined ? [] : [diagnostics]));
  const gains = measured.flatMap(({ marginGain }) => (marginGain === undefined ? [] : [marginGain]));
  const margins = measured.filter(({ marginBefore }) => marginBefore !== undefined);
  const first = margins[0]?.marginBefore;
  const last = margins.at(-1)?.marginAfter;
  const worst = extreme(steps, (gain) => -gain, zeroTolerance);
  const best = extreme(steps, (gain) => gain, zeroTolerance);
  const surprises = measured.map(({ surprise }) => surprise);
  return {
    trajectoryId,
    steps: steps.length,
    measured: measured.length,
    withMargin: gains.length,
    ...(gains.length === 0 ? {} : { meanMarginGain: fsum(gains) / gains.length }),
    positive: gains.filter((gain) => gain > zeroTolerance).length,
    zero: gains.filter((gain) => Math.abs(gain) <= zeroTolerance).length,
    negative: gains.filter((gain) => gain < -zeroTolerance).length,
    ...(first === undefined ? {} : { marginFirst: first }),
    ...(last === undefined ? {} : { marginLast: last }),
    ...(measured.length === 0
      ? {}
      : {
          meanSurprise: fsum(surprises) / measured.length,
          maxSurprise: surprises.reduce((max, surprise) => Math.max(max, surprise), 0),
          meanEntropyMovement: fsum(measured.map(({ entropyMovement }) => entropyMovement)) / measured.length,
        }),
    damage: measured.filter(({ damage }) => damage).length,
    repair: measured.filter(({ repair }) => repair).length,
    floored: steps.filter(isFloored).length,
    ...(worst === undefined ? {} : { worstStepId: worst }),
    ...(best === undefined ? {} : { bestStepId: best }),
  };
}

function isFloored({ diagnostics, flags }: DiagnosedStep): boolean {
  return diagnostics !== undefined && (flags.includes("floor") || diagnostics.flags.includes("floor"));
}

/** The step on which a quantity is largest and not zero; of equal ones the first. */
function extreme(
  steps: readonly DiagnosedStep[],
  rank: (gain: number) => number,
  zeroTolerance: number,
): string | undefined {
  let found: string | undefined;
  let top = zeroTolerance;
  for (const { stepId, diagnostics } of steps) {
    const value = diagnostics?.marginGain === undefined ? -Infinity : rank(diagnostics.marginGain);
    if (value > top) [found, top] = [stepId, value];
  }
  return found;
}
