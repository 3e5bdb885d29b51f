import type { KeyRule } from "./key-rule.ts";

/**
 * Physical labels and human verdicts. `label` goes whatever it holds: an evaluator that sees which
 * letter a text is filed under is no longer measured, and a step's human verdict has the same name.
 * `labels` stays: it is a list of topics far more often. Hosts whose states use `label` for
 * something else (a button's caption) rename it in `project`, or switch this rule off by its id.
 */
export const labelKeys: readonly KeyRule[] = [
  {
    id: "key-label",
    when: {
      name: (
        "label label_source label_confidence step_label human_label option_label option_labels choice_label candidate_label " +
        "candidate_labels answer_label answer_labels predicted_label physical_label label_mapping label_map label_to_candidate " +
        "candidate_to_label label_scores"
      ).split(" "),
    },
    do: "remove",
  },
];
