export { candidateSetSha256 } from "./candidate-set-digest.ts";
export { canonicalJson, digestOf, sha256Hex } from "./digest.ts";
export { isJsonObject, type JsonObject, type JsonValue } from "./json.ts";
export type { CloseRecord, LiveRecord, OpenRecord, StepRecord } from "./live-record.ts";
export { QUALITY_FLAGS, type QualityFlag } from "./quality-flag.ts";
export {
  SCORE_SCHEMA,
  type EvaluatorIdentity,
  type MappingRow,
  type ProtocolRecord,
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
export type { OpenInterval, StepDiagnostics, StepMetrics } from "./step-metrics.ts";
export {
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
