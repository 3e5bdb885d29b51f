import type { JsonObject } from "./json.ts";
import type { Candidate, CandidateReview } from "./trajectory.ts";

/** Schema version of a candidate-set file. */
export const CANDIDATES_SCHEMA = "asv.candidates.v1";

/** The candidates of one task, in a file of their own. The target is never in it: see {@link GoldRecord}. */
export interface CandidateSetRecord {
  record: "candidate_set";
  taskId: string;
  question: string;
  /** `closed_set` or `candidate_set`; other words are kept. */
  type: string;
  candidates: Candidate[];
  /** Digest over question, ids and texts; present only on a frozen set. */
  frozenSha256?: string;
  review?: CandidateReview;
  labelSource?: string;
  extra?: JsonObject;
}

/** The reviewed target of one task, kept apart so that a candidate-set file can be shown to anyone. */
export interface GoldRecord {
  record: "gold";
  taskId: string;
  goldCandidateId: string;
  extra?: JsonObject;
}

export type CandidateFileRecord = CandidateSetRecord | GoldRecord;
