import { STOP_WORDS } from "./stop-words.ts";

const short = /^.{1,2}$/su;

/**
 * Probability of a token in a text about anything: 5e-3 for a stop word, 1e-3 for at most two
 * characters, 1e-5 for every other token.
 *
 * Constants rather than counts from a corpus, so that a score depends on nothing but state and
 * candidate and is the same on every machine. They do not sum to one over a vocabulary, which has no
 * size here; what is computed from them is a score, not a probability.
 */
export function backgroundProbability(token: string): number {
  if (STOP_WORDS.has(token)) return 5e-3;
  return short.test(token) ? 1e-3 : 1e-5;
}
