import type { DiagnosedStep } from "../diagnose/index.ts";
import { ZERO_TOLERANCE } from "../diagnose/index.ts";
import { InvalidArgumentError } from "../errors/index.ts";
import { createRunningSum, RANDOM_NAME } from "../math/index.ts";
import type { QualityFlag } from "../schema/index.ts";
import { createExtremeSteps } from "./extreme-steps.ts";
import { createFloorTally } from "./floor-summary.ts";
import { finishSummary } from "./finish-summary.ts";
import { createLayoutSpreads } from "./layout-spreads.ts";
import { createNumbering } from "./numbering.ts";
import { createPivotTally } from "./pivot-counts.ts";
import { stepBits } from "./step-bits.ts";
import { createStepColumns, STEP } from "./step-columns.ts";
import { createSurpriseTally } from "./surprise-summary.ts";
import type { Summary } from "./summary.ts";
import type { ActionGroup } from "./step-types.ts";
import { createTemperatureTally } from "./temperature-summary.ts";
import { checkResampling, DEFAULT_RESAMPLES, DEFAULT_SEED } from "./trajectory-bootstrap.ts";

export interface SummarizeOptions {
  /** Bootstrap resamples; 0 for means without intervals. Default 10,000. */
  resamples?: number;
  /** 32-bit integer. Default 7. */
  seed?: number;
  /** What counts as zero, nats. Default 1e-9; for a remote evaluator, its measured repeat noise. */
  zeroTolerance?: number;
  /** Steps it returns false for are left out of everything. Default: all steps count. */
  filter?: (step: DiagnosedStep) => boolean;
  /** Step types that are also summarized together; they may overlap. Default none. */
  groups?: readonly ActionGroup[];
  /** Length of the lists of worst and best steps. Default 10. */
  extremes?: number;
}

/** Takes steps one at a time, in any order, and summarizes them at the end. */
export interface Summarizer {
  add(step: DiagnosedStep): void;
  /** May be called more than once, with steps added in between. */
  finish(): Summary;
}

/**
 * Summary of a stream of steps. Keeps 26 bytes a step and the names once, so a million steps take
 * some tens of MB; nothing of the step objects themselves is kept but the worst and best few.
 *
 * @throws InvalidArgumentError for options out of range
 */
export function createSummarizer(options: SummarizeOptions = {}): Summarizer {
  const settings = resolve(options);
  const { zeroTolerance, filter } = settings;
  const columns = createStepColumns();
  const trajectories = createNumbering();
  const actions = createNumbering();
  const protocolIds = new Set<string>();
  const evaluatorKinds = new Set<string>();
  const partial = new Set<number>();
  const flagCounts = new Map<QualityFlag, number>();
  const surprise = { sum: createRunningSum(), max: -Infinity };
  const entropyMovement = { sum: createRunningSum(), moved: 0 };
  const temperatures = createTemperatureTally(zeroTolerance);
  const surprises = createSurpriseTally();
  const pivots = createPivotTally(zeroTolerance);
  const floors = createFloorTally(zeroTolerance);
  const spreads = createLayoutSpreads();
  const worst = createExtremeSteps(settings.extremes);
  const best = createExtremeSteps(settings.extremes);
  let filteredOut = 0;

  return {
    add(step) {
      if (filter !== undefined && !filter(step)) {
        filteredOut++;
        return;
      }
      const { diagnostics } = step;
      const flags = new Set<QualityFlag>(step.flags);
      for (const flag of diagnostics?.flags ?? []) flags.add(flag);
      for (const flag of flags) flagCounts.set(flag, (flagCounts.get(flag) ?? 0) + 1);
      const trajectory = trajectories.number(step.trajectoryId);
      if (flags.has("partial_trajectory")) partial.add(trajectory);
      protocolIds.add(step.protocolId);
      evaluatorKinds.add(step.evaluatorKind);
      const bits = stepBits(step, flags, zeroTolerance);
      const gain = diagnostics?.marginGain ?? NaN;
      columns.push({
        trajectory,
        action: actions.number(step.action),
        bits,
        gain,
        surprise: diagnostics?.surprise ?? NaN,
      });
      if (gain < -zeroTolerance) worst.add(step, gain);
      if (gain > zeroTolerance) best.add(step, -gain);
      if (diagnostics === undefined) return;
      if (diagnostics.layoutSpread !== undefined) spreads.add(diagnostics.layoutSpread);
      surprise.sum.add(diagnostics.surprise);
      if (diagnostics.surprise > surprise.max) surprise.max = diagnostics.surprise;
      entropyMovement.sum.add(diagnostics.entropyMovement);
      if (Math.abs(diagnostics.entropyMovement) > zeroTolerance) entropyMovement.moved++;
      pivots.add(step);
      if (diagnostics.marginGain !== undefined) floors.add(step);
      if (step.surpriseProbe !== undefined) surprises.add(step.surpriseProbe);
      if (step.temperatureProbe !== undefined) {
        temperatures.add(step.temperatureProbe, (bits & STEP.floored) !== 0);
      }
    },
    finish: () =>
      finishSummary({
        settings: { ...settings, random: RANDOM_NAME },
        table: columns.table(),
        trajectoryIds: trajectories.names,
        actions: actions.names,
        protocolIds: [...protocolIds],
        evaluatorKinds: [...evaluatorKinds],
        partialTrajectories: partial.size,
        filteredOut,
        flagCounts,
        surprise: { sum: surprise.sum.total(), max: surprise.max },
        entropyMovement: { sum: entropyMovement.sum.total(), moved: entropyMovement.moved },
        layoutSpread: spreads.summary(),
        temperatures: temperatures.summaries(),
        surprises: surprises.summaries(),
        pivots: pivots.counts(),
        floors: floors.summary(),
        worst: worst.steps(),
        best: best.steps(),
      }),
  };
}

/** {@link createSummarizer} over steps that are at hand. */
export function summarize(steps: Iterable<DiagnosedStep>, options: SummarizeOptions = {}): Summary {
  const summarizer = createSummarizer(options);
  for (const step of steps) summarizer.add(step);
  return summarizer.finish();
}

function resolve(options: SummarizeOptions) {
  const {
    resamples = DEFAULT_RESAMPLES,
    seed = DEFAULT_SEED,
    zeroTolerance = ZERO_TOLERANCE,
    extremes = 10,
    groups = [],
    filter,
  } = options;
  checkResampling(resamples, seed);
  if (!(zeroTolerance >= 0 && zeroTolerance < Infinity)) {
    throw new InvalidArgumentError("zeroTolerance", "a number of at least 0 (nats)", zeroTolerance);
  }
  if (!Number.isInteger(extremes) || extremes < 0 || extremes > 1000) {
    throw new InvalidArgumentError("extremes", "an integer from 0 to 1000", extremes);
  }
  return Object.freeze({ resamples, seed, zeroTolerance, extremes, groups, filter });
}
