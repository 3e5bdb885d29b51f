export { decisionsEvaluator, type DecisionClient } from "./decisions-evaluator.ts";
