import type { QualityFlag } from "../schema/index.ts";
import type { AdjustedTest, TestFamily } from "./adjusted-tests.ts";
import type { HumanLabels } from "./human-labels.ts";

/** The summary schema version this release writes. */
export const SUMMARY_SCHEMA = "asv.summary.v1";

/** An interval; a percentile interval from resampled trajectories where nothing else is said. */
export interface Interval {
  /** 0.95. */
  level: number;
  low: number;
  high: number;
  /** Resamples that held no step of this kind; the others make the interval. Absent where none were drawn. */
  skippedResamples?: number;
  /** Set when all trajectories agree: the interval is the point, not a sign of precision. */
  degenerate?: true;
}

/** Interval of a rate: Wilson's, over as many independent steps as the trajectories are worth. */
export interface RateInterval extends Interval {
  method: "wilson";
  effectiveSteps: number;
}

/** Why there is no interval beside a mean. */
export type IntervalAbsence = "too_few_trajectories" | "no_values" | "not_requested";

/** A mean with its interval, or with the reason why there is none. */
export interface Estimate {
  /** Steps that have the quantity, and trajectories that have such a step. */
  steps: number;
  trajectories: number;
  /** Absent when no step has the quantity. */
  mean?: number;
  interval?: Interval;
  intervalAbsent?: IntervalAbsence;
}

/** Steps by the sign of their margin gain, zero being what lies within the tolerance. */
export interface SignCounts {
  positive: number;
  zero: number;
  negative: number;
}

/** How often the target was lost (damage) or won (repair) as the evaluator's first choice. */
export interface CrossingRate {
  count: number;
  /** Share of all steps with a margin. */
  rate?: number;
  /** Of `rate`; absent below five trajectories. */
  interval?: RateInterval;
  /** Steps at which it could happen: margin before above zero for damage, not above for repair. */
  eligible: number;
  rateOfEligible?: number;
  intervalOfEligible?: RateInterval;
}

/** Means with one trajectory left out at a time, at their extremes. */
export interface LeaveOneOut {
  min: number;
  max: number;
  /** The trajectory whose absence gives the extreme. */
  minWithout: string;
  maxWithout: string;
  /** All of them lie strictly on the side of zero the full mean lies on. */
  signStable: boolean;
}

export interface MarginGainSummary extends Estimate, SignCounts {
  /** Mean of the trajectories' own means: each trajectory counts once, however long it is. */
  trajectoryWeighted: Pick<Estimate, "mean" | "interval" | "intervalAbsent">;
  /** Absent with fewer than two trajectories. */
  leaveOneOut?: LeaveOneOut;
  damage: CrossingRate;
  repair: CrossingRate;
}

/** Steps of one type; the mean and its neighbours are of margin gain, nats. */
export interface StepTypeSummary extends Estimate, SignCounts {
  action: string;
  /** All steps of the type, and those that could be measured. `steps` counts those with a gain. */
  allSteps: number;
  measured: number;
  median?: number;
  min?: number;
  max?: number;
  /** With n − 1 in the divisor; absent for a single step. */
  standardDeviation?: number;
  meanSurprise?: number;
  /** Mean surprise of the steps that were damaged; absent without one. */
  meanSurpriseOnDamage?: number;
  /** Measured steps with a floored label. */
  floored: number;
  damage: CrossingRate;
  repair: CrossingRate;
  /** Of mean = 0, within the family of step types; absent without an interval that varies. */
  test?: AdjustedTest;
}

/** Step types taken together under one name; the members are in `actions`. */
export interface StepGroupSummary extends Omit<StepTypeSummary, "action" | "test"> {
  group: string;
  actions: string[];
}

/** The mean margin gain once doubtful steps are left out. */
export interface VariantSummary extends Estimate {
  name: "no_floor_steps" | "no_leak_trajectories" | "clean";
  /** Steps with a gain that the variant leaves out. */
  excludedSteps: number;
}

/** A step at either end of the margin gains. */
export interface ExtremeStep {
  trajectoryId: string;
  stepId: string;
  index: number;
  action: string;
  marginGain: number;
  surprise: number;
  flags: QualityFlag[];
}

/** All steps at one temperature of the probe. */
export interface TemperatureSummary {
  tau: number;
  steps: number;
  meanEntropyMovement: number;
  /** Share of steps whose entropy movement is not zero within the tolerance. */
  movedRate: number;
  meanTopBefore: number;
  meanTopAfter: number;
  /** The same without steps that have a floored label; absent when there is none. */
  withoutFloor?: Omit<TemperatureSummary, "tau" | "withoutFloor">;
}

/** All steps with one weight of surprise's uniform part. */
export interface SurpriseSummary {
  epsilon: number;
  steps: number;
  mean: number;
  max: number;
}

/** What became of the evaluator's first choice, in steps; see BeliefPivot. */
export interface PivotCounts {
  steps: number;
  none: number;
  tied: number;
  targetDirected: number;
  destructive: number;
  betweenOthers: number;
  untargeted: number;
}

/** How far the margin gains depend on floor scores. */
export interface FloorSummary {
  /** Steps with a margin gain and a floored label. */
  steps: number;
  /** Of these, how many have an interval that is open on a side, and whose interval lies on one side of zero or at it. */
  open: number;
  signKnown: number;
  /**
   * Where the mean gain over all steps lies, whatever the absent labels had; an end that a step leaves open is
   * absent.
   */
  meanLow?: number;
  meanHigh?: number;
  /** The mean gain over all steps with other floor scores, where these were asked for. */
  sensitivity?: {
    floor: number;
    mean: number;
    meanOfFloored: number;
    positive: number;
    zero: number;
    negative: number;
  }[];
}

export type SummaryWarning =
  | "no_steps"
  | "no_measured_steps"
  | "no_margins"
  | "too_few_trajectories"
  | "few_trajectories"
  | "few_resamples"
  | "several_protocols"
  | "several_evaluators";

/** Aggregates of one run over many trajectories. All values in nats and unrounded; absent is not zero. */
export interface Summary {
  schemaVersion: typeof SUMMARY_SCHEMA;
  counts: {
    trajectories: number;
    steps: number;
    measured: number;
    /** Steps without diagnostics. */
    unscored: number;
    withMargin: number;
    partialTrajectories: number;
    /** Before- and after-states of the measured steps, two a step as the paper counts them. */
    states: number;
    /** Steps the caller's filter left out; they are in none of the other counts. */
    filteredOut: number;
  };
  protocolIds: string[];
  evaluatorKinds: string[];
  zeroTolerance: number;
  bootstrap: {
    unit: "trajectory";
    method: "percentile";
    quantile: "type 7";
    level: number;
    resamples: number;
    seed: number;
    /** Generator and library version. */
    random: string;
  };
  surprise?: { mean: number; max: number };
  entropyMovement?: {
    mean: number;
    /** Steps where it is not zero within the tolerance. */
    moved: number;
  };
  marginGain: MarginGainSummary;
  variants: VariantSummary[];
  /** Most negative mean first; types without a gain last. */
  stepTypes: StepTypeSummary[];
  /** The family that the step types' tests are adjusted within. */
  stepTypeTests: TestFamily;
  layoutSpread?: { steps: number; mean: number; median: number; max: number };
  temperatures?: TemperatureSummary[];
  /** By ε, ascending; absent when no step was probed. */
  surprises?: SurpriseSummary[];
  /** Over measured steps; absent without one. */
  pivots?: PivotCounts;
  /** Absent without a floored step. */
  floors?: FloorSummary;
  /** The caller's groups of step types, in the caller's order. */
  stepGroups?: StepGroupSummary[];
  /** Steps that carry each flag; flags on no step are absent. */
  flags: Partial<Record<QualityFlag, number>>;
  worst: ExtremeStep[];
  best: ExtremeStep[];
  humanLabels?: HumanLabels;
  warnings: SummaryWarning[];
}
