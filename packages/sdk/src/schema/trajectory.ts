import type { JsonObject } from "./json.ts";
import type { State } from "./state.ts";

/** The trajectory schema version this release reads and writes. */
export const TRAJECTORY_SCHEMA = "asv.v1";

/**
 * Largest size of a log score, in nats. No evaluator comes near it; beyond it, sums and differences of
 * scores would lose their digits and at last overflow.
 */
export const MAX_LOG_SCORE = 1e6;

/** Log scores or probabilities by candidate id. */
export type ByCandidate = Record<string, number>;

/** One answer that beliefs range over. Ids have no meaning and never look like labels. */
export interface Candidate {
  id: string;
  /** Physical label the source used; never shown to an evaluator, which gets a label mapping. */
  label?: string;
  text: string;
  prior?: number;
  extra?: JsonObject;
}

/** Who reviewed a candidate set, when, and what they noted. */
export interface CandidateReview {
  reviewer: string;
  reviewedAt?: string;
  notes?: string;
  extra?: JsonObject;
}

/** The candidates of a task with the target kept for offline use. */
export interface CandidateSpace {
  /** `closed_set` or `candidate_set`; other words are kept. */
  type: string;
  candidates: Candidate[];
  /** The reviewed target. Never part of a prompt, span, cache key or score record. */
  goldCandidateId?: string;
  /** Digest over question, ids and texts; present only on a frozen set. */
  frozenSha256?: string;
  review?: CandidateReview;
  /** Where a set came from that a data set's own labels define, for example `pubmedqa`. */
  labelSource?: string;
  extra?: JsonObject;
}

/** The question of a run and the answers its belief ranges over. */
export interface Task {
  taskId: string;
  question: string;
  taskType: string;
  domain?: string;
  difficulty?: string;
  goldVisibleToEvaluator: boolean;
  goldUsedOnlyForValidation: boolean;
  candidateSpace: CandidateSpace;
  extra?: JsonObject;
}

/** One transition: before-state, action, after-state. */
export interface Step {
  stepId: string;
  index: number;
  /** `action.type` is the step type reports group by. */
  action: JsonObject;
  observation: JsonObject;
  stateBefore?: State;
  stateAfter?: State;
  beliefBefore?: ByCandidate;
  beliefAfter?: ByCandidate;
  rawScoresBefore?: ByCandidate;
  rawScoresAfter?: ByCandidate;
  /** Keys the statistics know: prompt_tokens, completion_tokens, tool_calls, latency_ms, risk_score. */
  cost: JsonObject;
  /** A human verdict on this step, as its source words it. */
  label?: string;
  labelSource?: string;
  labelConfidence?: number;
  qualityFlags: JsonObject;
  /** True when the actor changed something between the previous after-state and this before-state. */
  discontinuity?: boolean;
  extra?: JsonObject;
}

/** How many times each redaction rule fired while the states were projected. */
export interface RedactionSummary {
  policy: string;
  version: string;
  hits: Record<string, number>;
  extra?: JsonObject;
}

/** Ordered transitions of one run (paper section 3.1). */
export interface Trajectory {
  schemaVersion: typeof TRAJECTORY_SCHEMA;
  trajectoryId: string;
  sourceAdapter: string;
  createdAt?: string;
  runId?: string;
  metadata: JsonObject;
  /** Outcome fields are carried for the owner and never shown to an evaluator. */
  finalScore?: number;
  success?: boolean;
  task: Task;
  steps: Step[];
  /** How the run ended; `partial` when it never closed. Absent in files that do not say. */
  status?: string;
  redaction?: RedactionSummary;
  extra?: JsonObject;
}
