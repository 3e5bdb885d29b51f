import type { JsonValue, QualityFlag } from "../schema/index.ts";
import type { AdjustedTest, CrossingRate, Estimate, SignCounts, TestFamily } from "../summarize/index.ts";

/** The comparison schema version this release writes. */
export const COMPARISON_SCHEMA = "asv.comparison.v1";

/** How a comparison's intervals were made. */
export interface BootstrapSettings {
  unit: "trajectory";
  method: "percentile";
  quantile: "type 7";
  level: number;
  resamples: number;
  seed: number;
  /** Generator and version. */
  random: string;
}

/** One setting that two protocols do not share; an absent side does not have it. */
export interface ProtocolFieldDifference {
  /** Dotted path as in a score file, for example `buffer.max_tokens`. */
  path: string;
  a?: JsonValue;
  b?: JsonValue;
}

/** Why a step of both channels is not the same frozen transition. */
export type MismatchReason = "candidates" | "target" | "state_before" | "state_after" | "action";

/** A step by its ids. */
export interface StepPlace {
  trajectoryId: string;
  stepId: string;
}

/** Steps that share their ids and are not the same transition. They are in no other number. */
export interface PairMismatch {
  reason: MismatchReason;
  count: number;
  /** The first few. */
  examples: StepPlace[];
}

/**
 * What became of every step that either channel has. `paired + onlyInA + onlyInB + withoutGainInA +
 * withoutGainInB + withoutGainInBoth + mismatched` is `transitions`.
 */
export interface PairCoverage {
  /** Distinct (trajectory, step) of both channels together. */
  transitions: number;
  /** The same transition with a margin gain in both channels: what every number here is about. */
  paired: number;
  onlyInA: number;
  onlyInB: number;
  /** In both channels, but without a margin gain (unscored, no target, beliefs only) in one or both. */
  withoutGainInA: number;
  withoutGainInB: number;
  withoutGainInBoth: number;
  mismatched: number;
  /** By reason, a step under its first one. */
  mismatches: PairMismatch[];
  /** Paired steps without digests on one side: that they are one transition rests on their ids alone. */
  unverified: number;
  /** Trajectories with a paired step, in one channel only, and in both without a paired step. */
  trajectories: { paired: number; onlyInA: number; onlyInB: number; unpaired: number };
}

/** Opposite signs among pairs that moved in both channels. */
export interface SignDisagreement {
  /**
   * What counts as a move: `tolerance`, beyond the tie tolerance; `six_decimals`, not 0 when rounded to
   * six decimals, which is how the published reference counts.
   */
  reading: "tolerance" | "six_decimals";
  /** A gain moved when it is larger than this in size, nats. */
  threshold: number;
  bothMoved: number;
  disagree: number;
  /** Pairs left out of the rate. */
  onlyAMoved: number;
  onlyBMoved: number;
  neitherMoved: number;
  /** disagree / bothMoved with its interval; no mean when no pair moved in both. */
  rate: Estimate;
}

/** Damage or repair in both channels over the same transitions. */
export interface PairedCrossings {
  a: CrossingRate;
  b: CrossingRate;
  /** Transitions where it happened in both, in a alone, in b alone. */
  both: number;
  onlyA: number;
  onlyB: number;
}

/** The channel effect over one set of pairs (paper section 3.4). Nats; all intervals from one set of resamples. */
export interface ChannelEffect {
  pairs: number;
  trajectories: number;
  /** Mean margin gain of each channel over these pairs. */
  a: Estimate;
  b: Estimate;
  /** Mean of G(a) − G(b). Exchanging the channels flips its sign exactly. */
  signed: Estimate;
  /** Mean of |G(a) − G(b)|. */
  absolute: Estimate;
  /** Beyond the tie tolerance. */
  signDisagreement: SignDisagreement;
  /** As the reference counts. */
  signDisagreementSixDecimals: SignDisagreement;
  damage: PairedCrossings;
  repair: PairedCrossings;
}

/** The channel effect on one step type, or on one named group of step types. */
export interface StepTypeEffect extends ChannelEffect {
  action: string;
  /** Of signed effect = 0 within the family of step types; absent without an interval that varies. */
  test?: AdjustedTest;
}

export interface GroupEffect extends ChannelEffect {
  group: string;
  actions: string[];
}

/** One channel on its own. */
export interface ChannelSide {
  name: string;
  protocolIds: string[];
  evaluatorKinds: string[];
  /** Steps given, and those with a margin gain. */
  steps: number;
  withGain: number;
  /** Mean margin gain over all of the channel's own steps, paired or not. */
  marginGain: Estimate;
  /** Over the paired steps. */
  signs: SignCounts;
  /** Over the paired steps; absent without one. */
  surprise?: { mean: number; max: number };
  entropyMovement?: { mean: number; moved: number };
  layoutSpread?: { steps: number; mean: number; median: number; max: number };
  /** Paired steps of the channel with a floored label. */
  floored: number;
}

/** A pair with a large channel effect. */
export interface PairedStep extends StepPlace {
  index: number;
  action: string;
  gainA: number;
  gainB: number;
  /** G(a) − G(b). */
  effect: number;
  flagsA: QualityFlag[];
  flagsB: QualityFlag[];
}

export type ComparisonWarning =
  | "no_steps"
  | "no_pairs"
  | "too_few_trajectories"
  | "few_trajectories"
  | "no_paired_moves"
  | "unequal_coverage"
  | "mismatched_transitions"
  | "unverified_transitions"
  | "several_protocols"
  | "same_protocol"
  | "protocol_unknown"
  | "several_elements_differ";

/** Two channels over the same frozen transitions. */
export interface ChannelComparison {
  schemaVersion: typeof COMPARISON_SCHEMA;
  a: ChannelSide;
  b: ChannelSide;
  /** Every protocol setting that differs; absent where a side's settings are not known. */
  differences?: ProtocolFieldDifference[];
  /** The parts of ρ that differ, by name: one, if the comparison isolates one. */
  changedElements?: string[];
  zeroTolerance: number;
  bootstrap: BootstrapSettings;
  coverage: PairCoverage;
  /** Over all pairs. */
  all: ChannelEffect;
  /** Without pairs that are doubtful in either channel (UNCLEAN_FLAGS). */
  clean: ChannelEffect & { excludedPairs: number };
  /** In order of a's mean, most negative first. */
  stepTypes: StepTypeEffect[];
  /** The family that the step types' tests are adjusted within. */
  stepTypeTests: TestFamily;
  groups?: GroupEffect[];
  /** Pairs with the largest absolute effect, largest first. */
  largest: PairedStep[];
  warnings: ComparisonWarning[];
}
