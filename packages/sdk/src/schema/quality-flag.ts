/**
 * Everything that can be doubtful about a score or a step. A closed list: a reader can rely on
 * knowing them all.
 *
 * | flag | meaning |
 * | --- | --- |
 * | `floor` | a label was not in the returned list and got the floor score |
 * | `no_logprobs` | the reply carried no log-probabilities at all |
 * | `degenerate_distribution` | all candidates scored exactly alike |
 * | `first_token_not_label` | the sampled first token is not a label |
 * | `low_label_mass` | less than half of the first-token probability is on labels |
 * | `reasoning_tokens` | the evaluator reasoned although it was told not to |
 * | `refusal` | the evaluator refused |
 * | `truncated_topk` | fewer entries came back than were asked for |
 * | `duplicate_token` | the list held the same token twice; one was dropped |
 * | `invalid_response` | the reply could not be read |
 * | `prefix_reused` | the evaluator reused a cached prefix, which may move values slightly |
 * | `probability_source` | scores are logs of native choice probabilities, not token log-probs |
 * | `unreviewed_candidates` | the candidate set was not frozen after review |
 * | `unbalanced_mappings` | the label mappings do not balance positions |
 * | `label_leak` | a rationale names a physical label |
 * | `gold_leak` | a rationale asserts an answer key |
 * | `low_coverage` | a rationale leaves candidates unmentioned |
 * | `empty_rationale` | the rationale came back empty |
 * | `cut_off_rationale` | the rationale hit its token limit |
 * | `provided_belief` | scores came with the trajectory, not from an evaluator run |
 * | `no_log_scores` | only beliefs are known, so margins cannot be computed |
 * | `no_target` | no reviewed target is known, so margins cannot be computed |
 * | `no_state` | the step has no state to score |
 * | `unscored` | the state could not be scored |
 * | `discontinuity` | the before-state is not the previous after-state |
 * | `state_truncated` | a state lost text to the size bound |
 * | `redacted_at_scoring` | a state was stored with something an evaluator must not see; it was taken out |
 * | `partial_trajectory` | the run never closed; its finished steps are used |
 */
export const QUALITY_FLAGS = [
  "floor",
  "no_logprobs",
  "degenerate_distribution",
  "first_token_not_label",
  "low_label_mass",
  "reasoning_tokens",
  "refusal",
  "truncated_topk",
  "duplicate_token",
  "invalid_response",
  "prefix_reused",
  "probability_source",
  "unreviewed_candidates",
  "unbalanced_mappings",
  "label_leak",
  "gold_leak",
  "low_coverage",
  "empty_rationale",
  "cut_off_rationale",
  "provided_belief",
  "no_log_scores",
  "no_target",
  "no_state",
  "unscored",
  "discontinuity",
  "state_truncated",
  "redacted_at_scoring",
  "partial_trajectory",
] as const;

export type QualityFlag = (typeof QUALITY_FLAGS)[number];
