export { freezeCandidates } from "../../packages/sdk/src/candidates/index.ts";
export {
  createScoreIndex,
  diagnoseTrajectory,
  type DiagnosedStep,
  type ScoreIndex,
} from "../../packages/sdk/src/diagnose/index.ts";
export type { Evaluator } from "../../packages/sdk/src/evaluators/evaluator.ts";
export { lexicalEvaluator, NONE_OF_THE_ABOVE_PMI } from "../../packages/sdk/src/evaluators/lexical/index.ts";
export { importPubmedqa, type PubmedqaOptions } from "../../packages/sdk/src/import/index.ts";
export { readLines } from "@agent-step-value/sdk/jsonl";
export { defineProtocol, protocols, type Protocol } from "../../packages/sdk/src/protocol/index.ts";
export {
  candidateSetSha256,
  stateSha256,
  type Block,
  type ByCandidate,
  type Trajectory,
} from "../../packages/sdk/src/schema/index.ts";
export { memoryCache, score, type ScoreCache } from "@agent-step-value/sdk/score";
export type { Interval } from "../../packages/sdk/src/summarize/summary.ts";
export { trajectoryBootstrap } from "../../packages/sdk/src/summarize/trajectory-bootstrap.ts";
