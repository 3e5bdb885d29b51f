import type { CrossingRate, Estimate } from "../summarize/index.ts";
import type {
  BootstrapSettings,
  PairMismatch,
  ProtocolFieldDifference,
  SignDisagreement,
  StepPlace,
} from "./channel-comparison.ts";

/** The audit schema version this release writes. */
export const AUDIT_SCHEMA = "asv.audit.v1";

/** Which transitions a table is about. */
export type AuditSample = "clean" | "largest_gap" | "random";

/** One channel over the transitions of a sample: a row of the paper's Table 2. */
export interface AuditRow {
  /** Name of the channel. */
  channel: string;
  protocolId?: string;
  /** State slice and buffer policy, the row's two axes. */
  slice: string;
  buffer: string;
  /** The row that gaps and flips are taken against. */
  isBaseline: boolean;
  /** Transitions of the sample with a margin gain in this channel. */
  steps: number;
  /** Transitions of the sample that this channel does not have, or has without a margin gain. */
  missing: { notInChannel: number; withoutGain: number; mismatched: number };
  mismatches: PairMismatch[];
  marginGain: Estimate;
  /** Mean of G − G(baseline). */
  gap: Estimate;
  absoluteGap: Estimate;
  /** Sign disagreement with the baseline. */
  flip: SignDisagreement;
  flipSixDecimals: SignDisagreement;
  damage: CrossingRate;
  repair: CrossingRate;
  /** Absent for a row without a step. */
  meanSurprise?: number;
  /** Steps with a floored label. */
  floored: number;
  /** Settings that differ from the baseline's; absent where either is not known. */
  differences?: ProtocolFieldDifference[];
}

/** A selected transition. */
export interface AuditedStep extends StepPlace {
  action: string;
  /** G(contrast) − G(baseline). */
  gap: number;
}

/** All rows over one sample of transitions. */
export interface AuditTable {
  sample: AuditSample;
  /**
   * True for the largest gaps: the sample was chosen by the very difference that the rows then show, so
   * its gaps are larger than those of all transitions and say nothing about a typical one.
   */
  selectedOnOutcome: boolean;
  /** Transitions that are clean in baseline and contrast: what the sample is drawn from. */
  population: number;
  /** Absent for `clean`, which takes all. */
  requested?: number;
  selected: number;
  /** Most transitions of one trajectory; and how many were taken beyond it to reach the number asked for. */
  perTrajectory?: number;
  beyondPerTrajectory?: number;
  steps: AuditedStep[];
  rows: AuditRow[];
}

export type AuditWarning =
  | "no_clean_transitions"
  | "fewer_than_requested"
  | "selected_on_outcome"
  | "unequal_coverage"
  | "missing_channels"
  | "mismatched_transitions"
  | "unverified_transitions"
  | "too_few_trajectories"
  | "few_trajectories"
  | "no_paired_moves"
  | "several_elements_differ";

/** The paper's Table 2: one frozen set of transitions through several channels. */
export interface AttributionAudit {
  schemaVersion: typeof AUDIT_SCHEMA;
  /** Channel that gaps are taken against, and the one whose gap to it selects the sample. */
  baseline: string;
  contrast: string;
  zeroTolerance: number;
  bootstrap: BootstrapSettings;
  /** Seed of the samples' shuffles. */
  sampleSeed: number;
  /** How transitions left the population: the first reason that holds. */
  excluded: { notPaired: number; mismatched: number; unclean: number };
  tables: AuditTable[];
  /** Channels of the paper's table, or of the caller's list, that were not given. */
  missingChannels: string[];
  warnings: AuditWarning[];
}
