import { candidateSetSha256, type CandidateSpace } from "../schema/index.ts";
import { frozenOrder } from "./freeze-candidates.ts";

/** Why a set does not count as frozen. */
export type UnfrozenReason = "never_frozen" | "no_review" | "changed" | "reordered";

export type FrozenCheck = { frozen: true } | { frozen: false; reason: UnfrozenReason; message: string };

const messages: Record<UnfrozenReason, string> = {
  never_frozen: "the set was never frozen",
  no_review: "the set carries no review record",
  changed: "question, ids or texts changed after the set was frozen",
  reordered: "the candidates do not stand in the frozen order",
};

/**
 * Whether a set is frozen for this question: its digest is recomputed, its order and review looked
 * at, so a text changed after freezing is found.
 */
export function checkFrozen(space: CandidateSpace, question: string): FrozenCheck {
  const reason = unfrozenReason(space, question);
  return reason === undefined ? { frozen: true } : { frozen: false, reason, message: messages[reason] };
}

function unfrozenReason(space: CandidateSpace, question: string): UnfrozenReason | undefined {
  if (space.frozenSha256 === undefined) return "never_frozen";
  if (space.review === undefined || space.review.reviewer.trim() === "") return "no_review";
  if (candidateSetSha256(question, space.candidates) !== space.frozenSha256) return "changed";
  const order = frozenOrder(space.candidates, space.frozenSha256);
  return order.every(({ id }, i) => id === space.candidates[i]!.id) ? undefined : "reordered";
}
