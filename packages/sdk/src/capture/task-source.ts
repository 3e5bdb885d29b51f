import {
  candidateSetSha256,
  type Candidate,
  type CandidateReview,
  type CandidateSpace,
  type Task,
} from "../schema/index.ts";
import type { Redactor } from "./redactor.ts";

/** What a run is asked to do. The target is no part of it: live code does not know it. */
export interface CaptureTask {
  /** Default: the trajectory's id. */
  readonly id?: string;
  readonly question: string;
  /** The answers that belief will range over; attached later where they are left out. */
  readonly candidates?: readonly Candidate[] | Pick<CandidateSpace, "candidates" | "frozenSha256" | "review">;
  readonly taskType?: string;
  readonly domain?: string;
}

/** A task, or what makes one from a run's input. */
export type TaskSource = CaptureTask | ((input: unknown) => CaptureTask | undefined);

const QUESTION_LIMIT = 24_000;
const CANDIDATE_LIMIT = 4000;
const WORD_LIMIT = 200;

/**
 * A task as it stands in an open record, redacted. Without one it has an empty question and no
 * candidates, which `asv candidates attach` fills in.
 */
export function captureTask(task: CaptureTask | undefined, trajectoryId: string, redactor: Redactor): Task {
  const space = candidateSpace(task?.candidates, redactor);
  const question = redactor.text(task?.question, QUESTION_LIMIT) ?? "";
  const frozen = space.frozenSha256;
  // A redacted set is another set than the one that was reviewed.
  if (frozen !== undefined && candidateSetSha256(question, space.candidates) !== frozen) {
    delete space.frozenSha256;
    delete space.review;
  }
  const domain = redactor.text(task?.domain, WORD_LIMIT);
  return {
    taskId: redactor.text(task?.id, WORD_LIMIT) || trajectoryId,
    question,
    taskType: redactor.text(task?.taskType, WORD_LIMIT) || "open_qa_candidate_set",
    ...(domain !== undefined && { domain }),
    goldVisibleToEvaluator: false,
    goldUsedOnlyForValidation: true,
    candidateSpace: space,
  };
}

function candidateSpace(given: CaptureTask["candidates"], redactor: Redactor): CandidateSpace {
  const isList = Array.isArray(given);
  const set = isList ? undefined : (given as Exclude<typeof given, readonly Candidate[]>);
  const list: unknown = isList ? given : set?.candidates;
  const candidates = Array.isArray(list) ? distinct(list.map((item) => candidate(item, redactor))) : [];
  return {
    type: "candidate_set",
    candidates,
    ...(typeof set?.frozenSha256 === "string" && { frozenSha256: set.frozenSha256 }),
    ...(typeof set?.review?.reviewer === "string" && { review: review(set.review, redactor) }),
  };
}

/** Only id and text: a mark of the target beside them must not reach a file or span. */
function candidate(item: unknown, redactor: Redactor): Candidate {
  const { id, text } = Object(item) as { id?: unknown; text?: unknown };
  const name = redactor.text(id, WORD_LIMIT) ?? "";
  return { id: name, text: redactor.text(text, CANDIDATE_LIMIT) || name };
}

/** A reader refuses a record with two candidates of one id, or none. */
function distinct(candidates: readonly Candidate[]): Candidate[] {
  const ids = new Set<string>();
  return candidates.filter(({ id }) => id !== "" && !ids.has(id) && ids.add(id));
}

function review(given: CandidateReview, redactor: Redactor): CandidateReview {
  const notes = redactor.text(given.notes, CANDIDATE_LIMIT);
  return {
    reviewer: redactor.text(given.reviewer, WORD_LIMIT) ?? "",
    ...(typeof given.reviewedAt === "string" && { reviewedAt: given.reviewedAt.slice(0, WORD_LIMIT) }),
    ...(notes !== undefined && { notes }),
  };
}
