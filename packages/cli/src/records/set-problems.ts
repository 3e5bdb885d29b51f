import { AsvError, validateCandidates, type Candidate } from "@agent-step-value/sdk";

/** How many sets are listed one by one. */
const LISTED = 20;

/** Candidate sets that `asv candidates freeze` would refuse. */
export interface SetProblems {
  sets: number;
  /** The first of them: whose it is, and what is wrong; never a candidate's whole text. */
  first: { of: string; problem: string }[];
}

/** Collects sets that cannot be frozen. A task without candidates has no set yet, which is no fault. */
export function createSetProblems(): {
  found: SetProblems;
  look(of: string, candidates: readonly Candidate[]): void;
} {
  const found: SetProblems = { sets: 0, first: [] };
  return {
    found,
    look: (of, candidates) => {
      if (candidates.length === 0) return;
      try {
        validateCandidates(candidates, "read");
      } catch (error) {
        if (!AsvError.isInstance(error)) throw error;
        found.sets += 1;
        if (found.first.length < LISTED) found.first.push({ of, problem: error.message });
      }
    },
  };
}
