import type { AuditSample, AuditWarning, ComparisonWarning } from "@agent-step-value/sdk";

/** What a comparison's warning means for a reader. */
export const COMPARISON_WARNINGS: Readonly<Record<ComparisonWarning, string>> = {
  no_steps: "neither channel has a step",
  no_pairs: "no transition was measured in both channels, so nothing can be compared",
  too_few_trajectories: "fewer than 5 runs: no interval is given",
  few_trajectories: "fewer than 20 runs: the intervals are too narrow",
  no_paired_moves: "no transition moved in both channels, so their signs cannot disagree",
  unequal_coverage: "the channels do not cover the same transitions; only shared ones are compared",
  mismatched_transitions: "steps of one id are different transitions in the two channels; they are left out",
  unverified_transitions: "some steps carry no digests, so that they are one transition rests on their ids",
  several_protocols: "a side mixes several protocols",
  same_protocol: "both sides are the same protocol; their difference is repeat noise",
  protocol_unknown: "the settings of a side are not known, so what differs cannot be listed",
  several_elements_differ: "more than one element of the protocol differs, so the effect has no single cause",
};

/** What an audit's warning means for a reader. */
export const AUDIT_WARNINGS: Readonly<Record<AuditWarning, string>> = {
  no_clean_transitions: "no transition is clean in both baseline and contrast",
  fewer_than_requested: "there are fewer clean transitions than were asked for",
  selected_on_outcome:
    "the largest-gap table was chosen by the very difference it shows: its gaps are larger than those of all transitions and say nothing about a typical one",
  unequal_coverage: "not every channel has every transition of the sample",
  missing_channels: "channels of the full audit are missing",
  mismatched_transitions: "steps of one id are different transitions in some channels; they are left out",
  unverified_transitions: "some steps carry no digests, so that they are one transition rests on their ids",
  too_few_trajectories: "fewer than 5 runs: no interval is given",
  few_trajectories: "fewer than 20 runs: the intervals are too narrow",
  no_paired_moves: "in a row no transition moved in both channels",
  several_elements_differ:
    "a row differs from the baseline in more than one element, so its gap has no single cause",
};

/** Which transitions an audit table is about. */
export const AUDIT_SAMPLES: Readonly<Record<AuditSample, string>> = {
  clean: "all clean transitions",
  largest_gap: "clean transitions with the largest gap",
  random: "clean transitions drawn at random",
};
