import { splitWords, stemOf } from "./split-words.ts";

/** How a cue stands in a text: word for word, with other endings, or not at all. */
export const CUE_PRESENCES = ["verbatim", "stem", "absent"] as const;

export type CuePresence = (typeof CUE_PRESENCES)[number];

/** A text made ready for searching. */
export interface SearchedText {
  /** @param cue words in order, as splitWords gives them */
  find(cue: readonly string[]): CuePresence;
}

/**
 * Prepares texts that are searched as one; a phrase does not run from one into the next.
 *
 * Word for word means the same words in the same order, whatever their case and the punctuation between
 * them. O(words) to prepare, and as many steps a search as the cue's first word occurs.
 */
export function searchedText(texts: readonly string[]): SearchedText {
  const words: string[] = [];
  for (const text of texts) {
    for (const word of splitWords(text)) words.push(word);
    words.push(TEXT_END);
  }
  const byWord = positions(words);
  const stems = words.map(stemOf);
  const byStem = positions(stems);
  return {
    find(cue) {
      if (occurs(cue, words, byWord)) return "verbatim";
      return occurs(cue.map(stemOf), stems, byStem) ? "stem" : "absent";
    },
  };
}

/** No word of any text is empty. */
const TEXT_END = "";

/** A Map: words come from states and may be named like object internals. */
function positions(words: readonly string[]): Map<string, number[]> {
  const found = new Map<string, number[]>();
  words.forEach((word, at) => {
    const known = found.get(word);
    if (known === undefined) found.set(word, [at]);
    else known.push(at);
  });
  return found;
}

function occurs(
  cue: readonly string[],
  words: readonly string[],
  at: ReadonlyMap<string, readonly number[]>,
): boolean {
  const starts = at.get(cue[0]!) ?? [];
  return starts.some((start) => cue.every((word, i) => words[start + i] === word));
}
