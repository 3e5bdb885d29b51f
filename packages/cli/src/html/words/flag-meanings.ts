import type { QualityFlag, Summary } from "@agent-step-value/sdk";

/** Each quality flag in a line, for people who have not read the documentation. */
export const FLAG_MEANINGS: Readonly<Record<QualityFlag, string>> = {
  floor: "a label was not among the returned tokens and got the floor score; the gain is then a bound",
  no_logprobs: "the reply carried no log-probabilities",
  degenerate_distribution: "all candidates scored exactly alike",
  first_token_not_label: "the first token the evaluator wrote is no label",
  low_label_mass: "less than half of the probability was on labels",
  reasoning_tokens: "the evaluator reasoned although it was told not to",
  refusal: "the evaluator refused",
  truncated_topk: "fewer log-probabilities came back than were asked for",
  duplicate_token: "the list of log-probabilities held a token twice",
  invalid_response: "the reply could not be read",
  prefix_reused: "a cached prefix was reused, which can move values a little",
  probability_source: "scores are logs of choice probabilities, not token log-probabilities",
  unreviewed_candidates: "the candidate set was not frozen after a review",
  unbalanced_mappings: "the label mappings do not balance positions",
  label_leak: "a rationale names a physical label",
  gold_leak: "a rationale asserts an answer key",
  low_coverage: "a rationale leaves candidates unmentioned",
  empty_rationale: "the rationale came back empty",
  cut_off_rationale: "the rationale hit its token limit",
  provided_belief: "the scores came with the trajectory, from whatever made the file",
  no_log_scores: "only beliefs are known, so there is no margin",
  no_target: "no reviewed target is known, so there is no direction",
  no_state: "the step has no state to score",
  unscored: "a state could not be scored",
  discontinuity: "the agent changed its state between the previous step and this one",
  state_truncated: "a state lost text to the size bound",
  redacted_at_scoring: "something an evaluator must not see was taken out before scoring",
  partial_trajectory: "the run never closed; its finished steps are used",
};

/** A flag as words: `low_label_mass` as "low label mass". */
export function flagWords(flag: QualityFlag): string {
  return flag.replaceAll("_", " ");
}

/** Flags by the number of steps that carry them. */
export function raisedFlags(flags: Summary["flags"]): [QualityFlag, number][] {
  return (Object.entries(flags) as [QualityFlag, number][]).sort(([, a], [, b]) => b - a);
}
