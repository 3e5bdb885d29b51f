import type { EvaluatorSettings } from "../protocol/protocol.ts";
import type {
  Block,
  ByCandidate,
  JsonObject,
  JsonValue,
  QualityFlag,
  TokenUsage,
  TopLogprob,
} from "../schema/index.ts";

/** What an evaluator can do; the scorer refuses by name what it cannot. */
export interface EvaluatorCapabilities {
  /** Largest K the evaluator can list. */
  maxCandidates: number;
  /** False for an evaluator that scores candidates without labels: mappings are then a no-op. */
  usesLabels: boolean;
  /** Can write a rationale. */
  rationale: boolean;
  /** The same request always gets the same answer. */
  deterministic: boolean;
  /** Honours the projection's `slice`. All do, since the scorer slices; stated for foreign ports. */
  slices: boolean;
}

/** One candidate as an evaluator sees it: no label, no gold mark. */
export interface ShownCandidate {
  id: string;
  text: string;
}

/**
 * Which stored thing a request is about. For evaluators that replay records; no evaluator that
 * answers anew may look at it, since it is no part of what is sent or of the cache key.
 */
export interface RequestPlace {
  taskId: string;
  candidateSetSha256: string;
  stateSha256: string;
  /** Candidate ids in label order; empty for an evaluator without labels and for a rationale. */
  order: readonly string[];
}

/** A scored call: one state under one label mapping. */
export interface ScoreRequest {
  place?: RequestPlace;
  question: string;
  /** In the set's frozen order. */
  candidates: readonly ShownCandidate[];
  /** Blocks of the sliced state. */
  blocks: readonly Block[];
  /** Label to candidate id, in label order; empty for an evaluator without labels. */
  labelToCandidate: Readonly<Record<string, string>>;
  /** The whole prompt; empty for an evaluator without labels. */
  prompt: string;
  signal?: AbortSignal;
}

/** First-token log-probabilities, to be read by `score/read-label-scores.ts`. */
export interface LogprobReply {
  form: "logprobs";
  topLogprobs: TopLogprob[];
  /** How many entries were asked for. */
  topkAsked: number;
  /** The token that was really emitted, when known. */
  firstToken?: TopLogprob;
  usage?: TokenUsage;
  model?: string;
  fingerprint?: string;
  flags: QualityFlag[];
}

/** Log scores by candidate, from an evaluator that needs no label. */
export interface CandidateReply {
  form: "candidates";
  scores: ByCandidate;
  usage?: TokenUsage;
  model?: string;
  fingerprint?: string;
  flags: QualityFlag[];
}

export type EvaluatorReply = LogprobReply | CandidateReply;

/** A rationale call: the evaluator writes label-free text about one state. */
export interface RationaleRequest {
  place?: RequestPlace;
  prompt: string;
  maxTokens: number;
  signal?: AbortSignal;
}

export interface RationaleReply {
  text: string;
  finishReason?: string;
  usage?: TokenUsage;
  model?: string;
}

/**
 * How an evaluator's calls look in a provider's batch file, where they are asked and answered later.
 * A body holds exactly what `score` and `rationale` would send, and a reply is read as theirs would be.
 */
export interface BatchForm {
  /** Path of the endpoint as a batch file names it, for example `/v1/chat/completions`. */
  readonly url: string;
  scoredBody(request: ScoreRequest): JsonObject;
  rationaleBody(request: RationaleRequest): JsonObject;
  /** Throws as `score` does for a reply that cannot be used. */
  readScored(body: JsonValue): EvaluatorReply;
  readRationale(body: JsonValue): RationaleReply;
}

/**
 * The port every evaluator stands behind. It is stateless towards its caller: the same request may
 * be asked in any order and at any concurrency. It throws `AsvError` with code `evaluator_failed`
 * when it cannot answer, and the abort reason when the signal fires. A failure that every later call
 * would share (a refused key, an exhausted account) says so with `fields.fatal: true`; scoring then
 * stops. Retries are the evaluator's own business.
 */
export interface Evaluator {
  readonly settings: EvaluatorSettings;
  readonly capabilities: EvaluatorCapabilities;
  /** A sentence every report that rests on this evaluator prints. */
  readonly caution?: string;
  score(request: ScoreRequest): Promise<EvaluatorReply>;
  rationale?(request: RationaleRequest): Promise<RationaleReply>;
  /** Given where the provider takes files of calls. */
  readonly batch?: BatchForm;
}
