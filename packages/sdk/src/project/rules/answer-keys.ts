import type { KeyRule } from "./key-rule.ts";

/**
 * Gold and answer keys, with the names that public benchmarks give them (SWE-bench's `FAIL_TO_PASS` and
 * `test_patch`, HumanEval's `canonical_solution`, GPQA's `Correct Answer` and `Incorrect Answer 1`, GAIA's
 * `Annotator Metadata`, WebArena's `reference_answer_raw_annotation`, Mind2Web's `pos_candidates`).
 * `answer`, `final_answer`, `target`, `expected`, `patch`, `model_patch`, `solution`,
 * `best_answer` and `reference` are not among them: they are what an agent itself writes, a drug target, a
 * failing test's report.
 */
export const answerKeys: readonly KeyRule[] = [
  {
    id: "key-answer",
    when: {
      name: (
        "gold golds gold_answer gold_answers gold_ans gold_label gold_labels gold_id gold_ids gold_text gold_candidate gold_candidate_id " +
        "gold_answer_id gold_option gold_choice gold_index gold_idx gold_key gold_standard_answer gold_solution gold_evidence " +
        "gold_response gold_responses gold_output gold_outputs gold_patch gold_program gold_program_name gold_code gold_sql gold_query " +
        "gold_parse gold_span gold_spans gold_passage gold_passages gold_paragraph gold_paragraphs gold_document gold_documents gold_doc " +
        "gold_docs gold_context gold_contexts gold_action gold_actions gold_url golden_answer golden_answers golden_patch golden_label " +
        "golden_response golden_solution is_gold is_ground_truth is_correct_answer " +
        "reference_answer reference_answers reference_output reference_outputs reference_solution reference_solutions reference_response " +
        "reference_responses reference_contexts reference_answer_raw_annotation canonical_solution " +
        "canonical_solutions correct_answer correct_answers correct_answer_id correct_answer_index correct_answer_idx correct_answer_letter " +
        "correct_answer_text correct_option correct_options correct_option_id correct_option_index correct_choice correct_choices " +
        "correct_choice_index correct_letter correct_response correct_responses correct_label correct_candidate correct_candidate_id " +
        "correct_index correct_idx correct_id pre_revision_correct_answer incorrect_answers incorrect_answer_1 incorrect_answer_2 " +
        "incorrect_answer_3 expected_answer expected_answers expected_output expected_outputs expected_label " +
        "answer_key answer_keys answerkey " +
        "ground_truth ground_truths ground_truth_answer ground_truth_answers ground_truth_label ground_truth_labels ground_truth_output " +
        "ground_truth_id ground_truth_code ground_truth_sql ground_truth_actions groundtruth_answer gt_answer gt_answers gt_label " +
        "target_answer target_answers target_candidate target_candidate_id target_id target_label true_answer true_answers " +
        "true_label hidden_gold test_patch fail_to_pass pass_to_pass fail_to_fail pass_to_fail hidden_tests hidden_test_cases private_tests " +
        "private_test_cases annotator_metadata pos_candidates"
      ).split(" "),
    },
    do: "remove",
  },
];
