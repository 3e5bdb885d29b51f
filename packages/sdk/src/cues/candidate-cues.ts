import { isContentWord, splitWords } from "./split-words.ts";

/** Cues taken of one candidate at most; the rest is counted. */
export const MAX_CUES = 40;

/** Longest phrase that is one cue, in words. */
const MAX_PHRASE = 5;

/** What a text can be searched for to see whether a candidate is in it. */
export interface CandidateCues {
  /** Each a word or a phrase as a list of words, phrases first, in the order of the text. */
  cues: string[][];
  /** Cues beyond {@link MAX_CUES}. */
  leftOut: number;
}

/**
 * The cues of a candidate: every run of two to five content words that follow each other, and every
 * distinct content word. A function word ends a run, since "insulin secretion" is one thing and
 * "insulin in the morning" two; a longer run is cut into phrases of five.
 */
export function candidateCues(text: string): CandidateCues {
  const phrases = new Map<string, string[]>();
  const words = new Map<string, string[]>();
  let run: string[] = [];
  const endRun = (): void => {
    if (run.length > 1) phrases.set(run.join(" "), run);
    run = [];
  };
  for (const word of splitWords(text)) {
    if (!isContentWord(word)) {
      endRun();
      continue;
    }
    words.set(word, [word]);
    run.push(word);
    if (run.length === MAX_PHRASE) endRun();
  }
  endRun();
  const cues = [...phrases.values(), ...words.values()];
  return { cues: cues.slice(0, MAX_CUES), leftOut: Math.max(0, cues.length - MAX_CUES) };
}
