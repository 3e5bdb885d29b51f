import type { KeyRule } from "./key-rule.ts";

/**
 * Gold and answer keys. `answer`, `final_answer`, `target` and `expected` are not among them: they
 * are what an agent itself writes, a drug target, a failing test's report.
 */
export const answerKeys: readonly KeyRule[] = [
  {
    id: "key-answer",
    when: {
      name: (
        "gold golds gold_answer gold_answers gold_label gold_labels gold_id gold_ids gold_text gold_candidate gold_candidate_id " +
        "gold_answer_id gold_option gold_choice gold_index gold_key gold_standard_answer gold_solution gold_evidence golden_answer golden_answers " +
        "reference_answer reference_answers reference_output reference_outputs reference_solution correct_answer correct_answers " +
        "correct_option correct_choice correct_label correct_candidate correct_candidate_id correct_index correct_id " +
        "expected_answer expected_answers expected_output expected_outputs answer_key answer_keys answerkey " +
        "ground_truth ground_truths groundtruth_answer ground_truth_answer target_answer target_answers target_candidate target_candidate_id " +
        "target_id target_label true_answer true_label hidden_gold"
      ).split(" "),
    },
    do: "remove",
  },
];
