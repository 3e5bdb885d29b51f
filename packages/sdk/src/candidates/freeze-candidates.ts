import { AsvError, InvalidArgumentError } from "../errors/index.ts";
import {
  candidateSetSha256,
  sha256Hex,
  type Candidate,
  type CandidateReview,
  type CandidateSpace,
} from "../schema/index.ts";
import { isUnreviewed } from "./unreviewed.ts";
import { validateCandidates } from "./validate-candidates.ts";

/**
 * Freezes a reviewed set: fixes its order, its digest and its review record.
 *
 * The order is drawn from the set's own digest, so it depends neither on the order the candidates
 * were written in nor on the target, whose place therefore tells nothing. A set that a data set's
 * own labels define (`labelSource`) may be frozen without a person; the review then says so. A set that
 * was frozen before and has not changed keeps its review.
 *
 * @returns a new space; the given one is left as it is
 * @throws AsvError `unfrozen_candidates` without a reviewer, or for a generated set that nobody has
 * looked at, whatever reviewer is named; InvalidArgumentError for a set that is
 * not valid or whose target is not among its candidates
 */
export function freezeCandidates(
  space: CandidateSpace,
  question: string,
  review?: CandidateReview,
): CandidateSpace {
  if (isUnreviewed(space)) {
    throw new AsvError(
      "unfrozen_candidates",
      "A generated candidate set is frozen only after a person went through it (asv candidates review).",
    );
  }
  validateCandidates(space.candidates, "read");
  checkTarget(space);
  if (question.trim() === "")
    throw new InvalidArgumentError("question", "the question the set answers", question);
  const frozenSha256 = candidateSetSha256(question, space.candidates);
  return {
    ...space,
    candidates: frozenOrder(space.candidates, frozenSha256),
    frozenSha256,
    review: reviewOf(space, review, frozenSha256),
  };
}

/** The candidates sorted by SHA-256 of set digest and id: a uniform order that everyone can redo. */
export function frozenOrder(candidates: readonly Candidate[], setSha256: string): Candidate[] {
  const drawn = candidates.map((candidate) => ({
    candidate,
    rank: sha256Hex(`${setSha256}\n${candidate.id}`),
  }));
  drawn.sort((a, b) => (a.rank < b.rank ? -1 : 1));
  return drawn.map(({ candidate }) => candidate);
}

function checkTarget({ goldCandidateId, candidates }: CandidateSpace): void {
  if (goldCandidateId === undefined || candidates.some(({ id }) => id === goldCandidateId)) return;
  throw new InvalidArgumentError("goldCandidateId", "the id of one of the candidates", goldCandidateId);
}

function reviewOf(
  space: CandidateSpace,
  review: CandidateReview | undefined,
  digest: string,
): CandidateReview {
  if (review !== undefined && review.reviewer.trim() !== "") return { ...review };
  if (space.frozenSha256 === digest && space.review !== undefined && space.review.reviewer.trim() !== "") {
    return { ...space.review };
  }
  if (space.labelSource !== undefined && space.labelSource !== "") {
    return {
      reviewer: `labels of ${space.labelSource}`,
      notes: "Defined by the data set's own labels; no person reviewed this set.",
    };
  }
  throw new AsvError(
    "unfrozen_candidates",
    "A candidate set is frozen only after a person reviewed it. Say who did (reviewer), " +
      "or name the data set whose labels define it (label_source).",
  );
}
