import type { JsonObject, JsonValue } from "./json.ts";
import type { QualityFlag } from "./quality-flag.ts";
import type { ByCandidate } from "./trajectory.ts";

export const SCORE_SCHEMA = "asv.score.v1";

/** One entry of a top-log-probability list, as received. */
export interface TopLogprob {
  token: string;
  /** Natural log of the token's probability; null or a sentinel where the server gave none. */
  logprob: number | null;
  bytes?: number[] | null;
}

/** Token counts as the evaluator reported them; absent means not reported. */
export interface TokenUsage {
  promptTokens?: number;
  completionTokens?: number;
  cachedTokens?: number;
  reasoningTokens?: number;
  extra?: JsonObject;
}

/** Which evaluator answered: what it is and the model it said it was. */
export interface EvaluatorIdentity {
  kind: string;
  model: string;
  extra?: JsonObject;
}

/** One row of a protocol's label mappings: the order in which candidates take the labels A, B, C… */
export interface MappingRow {
  design: "fixed" | "balanced" | "label-free";
  /** 0-based row, b in the paper. */
  index: number;
  /** Candidate ids in label order; empty for a label-free evaluator. */
  order: string[];
  extra?: JsonObject;
}

/**
 * The score of one state under one protocol and one label mapping. Everything later is recomputed
 * from these lines; no metric needs a new call. The target is never in one.
 */
export interface ScoreRecord {
  record: "score";
  taskId: string;
  candidateSetSha256: string;
  stateSha256: string;
  protocolId: string;
  evaluator: EvaluatorIdentity;
  mapping: MappingRow;
  /** ℓ by label, before mapping back (paper eq. 1). Absent for a label-free evaluator. */
  labelScores?: Record<string, number>;
  /** ℓ by candidate id, in nats, floors included. */
  scores: ByCandidate;
  /** Candidates whose label was absent and got the floor. */
  floored: string[];
  /** Highest log score an absent label can have had: the lowest listed one, when the list was full. */
  floorBound?: number;
  /** Σ p over all label variants. */
  labelMass?: number;
  topLogprobs?: TopLogprob[];
  topkAsked?: number;
  /** The emitted token, where the server named it; it may be missing from the list. */
  firstToken?: TopLogprob;
  flags: QualityFlag[];
  usage?: TokenUsage;
  modelReturned?: string;
  fingerprint?: string;
  /** SHA-256 of the bytes really sent. Absent for an evaluator that reads the state itself. */
  promptSha256?: string;
  rationaleSha256?: string;
  extra?: JsonObject;
}

/** Where the rationale of a swapped buffer was written: another task's state, under its own protocol. */
export interface RationaleOrigin {
  taskId: string;
  stateSha256: string;
  protocolId: string;
  extra?: JsonObject;
}

/** A rationale buffer written by the evaluator before the scored call. */
export interface RationaleRecord {
  record: "rationale";
  taskId: string;
  candidateSetSha256: string;
  stateSha256: string;
  protocolId: string;
  text: string;
  finishReason?: string;
  flags: QualityFlag[];
  /** Share of candidate ids or texts the rationale mentions, 0 to 1. */
  coverage: number;
  usage?: TokenUsage;
  modelReturned?: string;
  /** SHA-256 of the prompt the text was written for; of a swapped one, that of its origin. */
  promptSha256: string;
  /** Only with the swapped buffer: whose rationale this is. */
  swappedFrom?: RationaleOrigin;
  extra?: JsonObject;
}

/** A state that could not be scored, and why. It is never counted as zero. */
export interface UnscoredRecord {
  record: "unscored";
  taskId: string;
  candidateSetSha256: string;
  stateSha256: string;
  protocolId: string;
  mapping: MappingRow;
  reason: string;
  extra?: JsonObject;
}

/** The whole protocol, once a score file, so that two files can be compared field by field. */
export interface ProtocolRecord {
  record: "protocol";
  protocolId: string;
  name: string;
  protocol: JsonValue;
  extra?: JsonObject;
}

export type ScoreFileRecord = ProtocolRecord | RationaleRecord | ScoreRecord | UnscoredRecord;
