export { recordedEvaluator, type RecordedOptions } from "./recorded-evaluator.ts";
