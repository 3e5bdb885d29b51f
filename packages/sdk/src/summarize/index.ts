export type { AdjustedTest, TestFamily } from "./adjusted-tests.ts";
export type { ConstantPosition, EarliestFirst, PositionBaselines } from "./constant-position.ts";
export { encodeSummary } from "./encode-summary.ts";
export {
  humanLabels,
  type HitRate,
  type HumanLabels,
  type LabelledTrajectory,
  type LabelRanking,
} from "./human-labels.ts";
export { leaveOneOut } from "./leave-one-out.ts";
export type { RandomHits } from "./random-hits.ts";
export type { RandomRankBand } from "./random-rank-band.ts";
export { resampleRatios, type RatioColumn, type ResampledRatio } from "./resample-ratios.ts";
export { LEAK_FLAGS, UNCLEAN_FLAGS } from "./step-bits.ts";
export type { ActionGroup } from "./step-types.ts";
export { createSummarizer, summarize, type SummarizeOptions, type Summarizer } from "./summarize.ts";
export {
  SUMMARY_SCHEMA,
  type CrossingRate,
  type Estimate,
  type ExtremeStep,
  type FloorSummary,
  type Interval,
  type IntervalAbsence,
  type LeaveOneOut,
  type MarginGainSummary,
  type PivotCounts,
  type RateInterval,
  type SignCounts,
  type StepGroupSummary,
  type StepTypeSummary,
  type Summary,
  type SummaryWarning,
  type SurpriseSummary,
  type TemperatureSummary,
  type VariantSummary,
} from "./summary.ts";
export {
  DEFAULT_RESAMPLES,
  DEFAULT_SEED,
  FEW_TRAJECTORIES,
  INTERVAL_LEVEL,
  MIN_TRAJECTORIES,
  percentileInterval,
  ratioColumn,
  trajectoryBootstrap,
} from "./trajectory-bootstrap.ts";
export { trajectorySummary, type TrajectorySummary } from "./trajectory-summary.ts";
