import { digestOf } from "./digest.ts";
import type { Candidate } from "./trajectory.ts";

/**
 * Identity of a candidate set: SHA-256 over question, candidate ids and candidate texts.
 *
 * Candidates are taken in id order, so that freezing a set, which reorders it, keeps its identity.
 * Target, labels, priors and review are no part of it.
 */
export function candidateSetSha256(question: string, candidates: readonly Candidate[]): string {
  const rows = candidates.map(({ id, text }) => ({ id, text }));
  rows.sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
  return digestOf({ question, candidates: rows });
}
