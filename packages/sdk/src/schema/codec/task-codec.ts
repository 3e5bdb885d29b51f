import type { Candidate, CandidateReview, CandidateSpace, Task } from "../trajectory.ts";
import { defaulted, list, optional, record, required, type RecordType } from "./wire-type.ts";
import { finite, identifier, sha256, text, truth } from "./wire-values.ts";

const candidateFields = record<Candidate>({
  id: required("id", identifier),
  label: optional("label", text),
  text: defaulted("text", text, () => ""),
  prior: optional("prior", finite),
});

/** A candidate without text is shown by its id; a text that is there and empty stays, to be refused by name. */
export const candidateType: RecordType<Candidate> = {
  ...candidateFields,
  decode(wire) {
    const candidate = candidateFields.decode(wire);
    if ((wire["text"] ?? null) === null) candidate.text = candidate.id;
    return candidate;
  },
};

export const reviewType = record<CandidateReview>({
  reviewer: required("reviewer", text),
  reviewedAt: optional("reviewed_at", text),
  notes: optional("notes", text),
});

const candidateSpaceType = record<CandidateSpace>({
  type: defaulted("type", text, () => "closed_set"),
  candidates: required("candidates", list(candidateType)),
  goldCandidateId: optional("gold_candidate_id", identifier),
  frozenSha256: optional("frozen_sha256", sha256),
  review: optional("review", reviewType),
  labelSource: optional("label_source", text),
});

/** `taskId` is empty where the file has none; the trajectory's id then takes its place. */
export const taskType = record<Task>({
  taskId: defaulted("task_id", identifier, () => ""),
  question: required("question", text),
  taskType: defaulted("task_type", text, () => "closed_set_qa"),
  domain: optional("domain", text),
  difficulty: optional("difficulty", text),
  goldVisibleToEvaluator: defaulted("gold_visible_to_evaluator", truth, () => false),
  goldUsedOnlyForValidation: defaulted("gold_used_only_for_validation", truth, () => true),
  candidateSpace: required("candidate_space", candidateSpaceType),
});
