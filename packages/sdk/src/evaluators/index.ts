export type {
  BatchForm,
  CandidateReply,
  Evaluator,
  EvaluatorCapabilities,
  EvaluatorReply,
  LogprobReply,
  RationaleReply,
  RationaleRequest,
  RequestPlace,
  ScoreRequest,
  ShownCandidate,
} from "./evaluator.ts";
export { DECISIONS_CAUTION, decisionsEvaluator, type DecisionClient } from "./decisions/index.ts";
export { lexicalEvaluator, NONE_OF_THE_ABOVE_PMI, type LexicalOptions } from "./lexical/index.ts";
export { recordedEvaluator, type RecordedOptions } from "./recorded/index.ts";
