export { canonicalJson } from "./canonical-json.ts";
export { candidateSetSha256 } from "./candidate-set-digest.ts";
export {
  CANDIDATES_SCHEMA,
  type CandidateFileRecord,
  type CandidateSetRecord,
  type GoldRecord,
} from "./candidate-set-record.ts";
export { decodeCandidateFileRecord, encodeCandidateFileRecord } from "./codec/candidate-set-codec.ts";
export { checkSteps } from "./codec/check-trajectory.ts";
export { decodeLiveRecord, encodeLiveRecord, isLiveRecord } from "./codec/live-codec.ts";
export { decodeScoreFileRecord, encodeScoreFileRecord } from "./codec/score-codec.ts";
export { decodeStepMetrics, encodeStepMetrics } from "./codec/step-metrics-codec.ts";
export { decodeTrajectory, encodeTrajectory } from "./codec/trajectory-codec.ts";
export { digestOf, sha256Hex } from "./digest.ts";
export { fieldPath } from "./field-path.ts";
export { findJsonProblem } from "./json-problem.ts";
export { isJsonObject, type JsonObject, type JsonValue } from "./json.ts";
export type { CloseRecord, LiveRecord, OpenRecord, StepRecord } from "./live-record.ts";
export { QUALITY_FLAGS, type QualityFlag } from "./quality-flag.ts";
export {
  SCORE_SCHEMA,
  type EvaluatorIdentity,
  type MappingRow,
  type ProtocolRecord,
  type RationaleOrigin,
  type RationaleRecord,
  type ScoreFileRecord,
  type ScoreRecord,
  type TokenUsage,
  type TopLogprob,
  type UnscoredRecord,
} from "./score-record.ts";
export {
  BLOCK_KINDS,
  stateSha256,
  type Block,
  type BlockKind,
  type BlockState,
  type State,
} from "./state.ts";
export {
  STEP_METRICS_SCHEMA,
  type OpenInterval,
  type StepDiagnostics,
  type StepMetrics,
} from "./step-metrics.ts";
export {
  MAX_LOG_SCORE,
  TRAJECTORY_SCHEMA,
  type ByCandidate,
  type Candidate,
  type CandidateReview,
  type CandidateSpace,
  type RedactionSummary,
  type Step,
  type Task,
  type Trajectory,
} from "./trajectory.ts";
