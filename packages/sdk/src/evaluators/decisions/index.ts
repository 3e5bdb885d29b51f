export { DECISIONS_CAUTION, decisionsEvaluator, type DecisionClient } from "./decisions-evaluator.ts";
