import type { AuditSample, AuditWarning, ComparisonWarning } from "@agent-step-value/sdk";

/** What a comparison's warning means for a reader. */
export const COMPARISON_WARNINGS: Readonly<Record<ComparisonWarning, string>> = {
  no_steps: "Neither channel has a step.",
  no_pairs: "No transition was measured in both channels, so nothing can be compared.",
  too_few_trajectories: "Fewer than 5 runs: no interval is given.",
  few_trajectories: "Fewer than 20 runs: the intervals are too narrow.",
  no_paired_moves: "No transition moved in both channels, so their signs cannot disagree.",
  unequal_coverage: "The channels do not cover the same transitions; only shared ones are compared.",
  mismatched_transitions: "Steps of one id are different transitions in the two channels; they are left out.",
  unverified_transitions: "Some steps carry no digests, so that they are one transition rests on their ids.",
  several_protocols: "A side mixes several protocols.",
  same_protocol: "Both sides are the same protocol; their difference is repeat noise.",
  protocol_unknown: "The settings of a side are not known, so what differs cannot be listed.",
  several_elements_differ:
    "More than one element of the protocol differs, so the effect has no single cause.",
};

/** What an audit's warning means for a reader. */
export const AUDIT_WARNINGS: Readonly<Record<AuditWarning, string>> = {
  no_clean_transitions: "No transition is clean in both baseline and contrast.",
  fewer_than_requested: "There are fewer clean transitions than were asked for.",
  selected_on_outcome:
    "The largest-gap table was chosen by the very difference it shows: its gaps are larger than those of all transitions and say nothing about a typical one.",
  unequal_coverage: "Not every channel has every transition of the sample.",
  missing_channels: "Channels of the full audit are missing.",
  mismatched_transitions: "Steps of one id are different transitions in some channels; they are left out.",
  unverified_transitions: "Some steps carry no digests, so that they are one transition rests on their ids.",
  too_few_trajectories: "Fewer than 5 runs: no interval is given.",
  few_trajectories: "Fewer than 20 runs: the intervals are too narrow.",
  no_paired_moves: "In a row no transition moved in both channels.",
  several_elements_differ:
    "A row differs from the baseline in more than one element, so its gap has no single cause.",
};

/** Which transitions an audit table is about. */
export const AUDIT_SAMPLES: Readonly<Record<AuditSample, string>> = {
  clean: "all clean transitions",
  largest_gap: "clean transitions with the largest gap",
  random: "clean transitions drawn at random",
};
