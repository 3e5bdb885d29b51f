import { isFlagValue, type KeyRule } from "./key-rule.ts";

/**
 * How the run went. `success` and `correct` go only as flags: "success: 80% of patients" under such
 * a key is evidence. A plain `score` stays, since retrievers score documents; `passed` stays, since
 * tools report tests.
 */
export const outcomeKeys: readonly KeyRule[] = [
  {
    id: "key-success",
    when: {
      name: (
        "success successful succeeded is_success is_successful task_success run_success success_flag " +
        "correct is_correct was_correct answer_correct is_answer_correct correctness exact_match is_resolved"
      ).split(" "),
      value: isFlagValue,
    },
    do: "remove",
  },
  {
    id: "key-final-score",
    when: {
      name: (
        "final_score final_scores final_reward total_reward overall_score eval_score evaluation_score evaluator_score " +
        "judge_score grader_score run_score trajectory_score task_score reward rewards final_grade"
      ).split(" "),
    },
    do: "remove",
  },
];
