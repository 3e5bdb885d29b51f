export { probeEvaluator, type ProbeOptions, type ProbeReport } from "./probe-evaluator.ts";
