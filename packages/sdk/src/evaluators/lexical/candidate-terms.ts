import { backgroundProbability } from "./background.ts";
import { tokenise } from "./tokenise.ts";

/** One token of a candidate: where its counts stand, and its background probability. */
export interface CandidateTerm {
  /** Slot of c(t). */
  unigram: number;
  /** Slots of c(s t) and c(s ·) for the token before it; absent for a first token. */
  pair?: number;
  left?: number;
  background: number;
}

/**
 * What a candidate set needs to know about a state, as slots of one count vector: slot 0 is the
 * number of tokens, then one slot a token and two a pair of neighbours. A state is then a short
 * vector, and vectors of its blocks add up.
 */
export interface TermTable {
  /** Length of a count vector. */
  size: number;
  /** Tokens of each candidate, in the order the texts were given. */
  candidates: readonly (readonly CandidateTerm[])[];
  unigramSlots: ReadonlyMap<string, number>;
  /** By unigram slot of the left token: its c(s ·) slot, and the c(s t) slots by unigram slot of t. */
  pairSlots: ReadonlyMap<number, { left: number; right: ReadonlyMap<number, number> }>;
}

/** Lays out the count vector of a candidate set. */
export function buildTermTable(texts: readonly string[]): TermTable {
  const unigramSlots = new Map<string, number>();
  const pairSlots = new Map<number, { left: number; right: Map<number, number> }>();
  let size = 1;
  const candidates = texts.map((text) => {
    let before: number | undefined;
    return tokenise(text).map((token) => {
      let unigram = unigramSlots.get(token);
      if (unigram === undefined) unigramSlots.set(token, (unigram = size++));
      const term: CandidateTerm = { unigram, background: backgroundProbability(token) };
      if (before !== undefined) {
        let row = pairSlots.get(before);
        if (row === undefined) pairSlots.set(before, (row = { left: size++, right: new Map() }));
        let pair = row.right.get(unigram);
        if (pair === undefined) row.right.set(unigram, (pair = size++));
        term.pair = pair;
        term.left = row.left;
      }
      before = unigram;
      return term;
    });
  });
  return { size, candidates, unigramSlots, pairSlots };
}
