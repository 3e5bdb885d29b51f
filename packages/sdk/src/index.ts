/**
 * Agent Step Value: records, projection, measuring protocol, evaluators, scoring, diagnostics and
 * statistics. Everything here loads in any JavaScript runtime, and all but `readTrajectories`, which
 * needs Node for files, runs in any. Writers, caches and live sinks are in the sub-paths `./jsonl`,
 * `./score` and `./capture`.
 *
 * @module
 */
export { AsvError, InvalidArgumentError, InvalidRecordError, showValue } from "./errors/index.ts";
export type { AsvErrorCode, AsvErrorFields, RecordPlace } from "./errors/index.ts";

export { createRandom, quantile, RANDOM_NAME } from "./math/index.ts";
export type { Random } from "./math/index.ts";

export {
  BLOCK_KINDS,
  candidateSetSha256,
  canonicalJson,
  CANDIDATES_SCHEMA,
  decodeCandidateFileRecord,
  decodeLiveRecord,
  decodeScoreFileRecord,
  decodeStepMetrics,
  decodeTrajectory,
  digestOf,
  encodeCandidateFileRecord,
  encodeLiveRecord,
  encodeScoreFileRecord,
  encodeStepMetrics,
  encodeTrajectory,
  isJsonObject,
  isLiveRecord,
  QUALITY_FLAGS,
  SCORE_SCHEMA,
  stateSha256,
  STEP_METRICS_SCHEMA,
  TRAJECTORY_SCHEMA,
} from "./schema/index.ts";
export type {
  Block,
  BlockKind,
  BlockState,
  ByCandidate,
  Candidate,
  CandidateFileRecord,
  CandidateReview,
  CandidateSetRecord,
  CandidateSpace,
  CloseRecord,
  EvaluatorIdentity,
  GoldRecord,
  JsonObject,
  JsonValue,
  LiveRecord,
  MappingRow,
  OpenInterval,
  OpenRecord,
  ProtocolRecord,
  QualityFlag,
  RationaleOrigin,
  RationaleRecord,
  RedactionSummary,
  ScoreFileRecord,
  ScoreRecord,
  State,
  Step,
  StepDiagnostics,
  StepMetrics,
  StepRecord,
  Task,
  TokenUsage,
  TopLogprob,
  Trajectory,
  UnscoredRecord,
} from "./schema/index.ts";

export { readTrajectories } from "./jsonl/read-trajectories.ts";
export type { OnWarning, ReadOptions, ReadWarning } from "./jsonl/read-warning.ts";
export type { JsonlSource } from "./jsonl/source.ts";

export { readPythonLiteral } from "./python-literal/index.ts";
export * from "./project/index.ts";
export * from "./candidates/index.ts";
export * from "./protocol/index.ts";
export * from "./import/index.ts";
export * from "./evaluators/index.ts";
export * from "./diagnose/index.ts";
export * from "./summarize/index.ts";
export * from "./compare/index.ts";
export * from "./cues/index.ts";
export * from "./export/asv-eval/index.ts";

export { planScoring, type ScorePlan } from "./score/plan-scoring.ts";
export {
  rationaleSource,
  type RationaleSource,
  type StatePosition,
  type SwappedRationale,
} from "./score/rationale-source.ts";
export { readLabelScores, type LabelReading, type LabelScores } from "./score/read-label-scores.ts";
export type { PriceTable, ScoreBudget, Spending } from "./score/score-budget.ts";
export { memoryCache, type ScoreCache } from "./score/score-cache.ts";
export type { ScoreOptions, ScoringPlanOptions } from "./score/score-options.ts";
export type { ScoreOutcome, ScoreProgress } from "./score/score-outcome.ts";
export { score } from "./score/score.ts";

export * from "./probe/index.ts";
export * from "./batch/index.ts";
