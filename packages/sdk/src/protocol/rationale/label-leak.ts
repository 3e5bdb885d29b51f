import { LABEL_WORDS } from "./leak-words.ts";

const words = LABEL_WORDS.map((word) => `[${word[0]!.toUpperCase()}${word[0]}]${word.slice(1)}`).join("|");
/** `option B`, `Label (C)`, `answer: "D"`; the letter is a capital that ends there. */
const named = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${words})[ :]{1,2}[("'*]{0,3}([A-Z])(?![\\p{L}\\p{N}_'’-])`,
  "gu",
);
/** A line that opens like an option list or a final answer: `B: …`, `(C) …`, `D = …`, or the letter alone. */
const opening = /^[ \t]{0,8}[-*(]{0,3}([A-Z])(?:\*{0,2}[:)]| = |\.?[ \t]{0,4}$)/gmu;

/**
 * Whether a rationale names a physical label. `n = 120`, `p = 0.03`, "candidate a" and "vitamin A"
 * are none; nor is a letter past the K labels, or words that a candidate's own text holds.
 *
 * @param candidateTexts whose number is K
 */
export function namesLabel(text: string, candidateTexts: readonly string[]): boolean {
  const lastLabel = String.fromCharCode(64 + candidateTexts.length);
  for (const pattern of [named, opening]) {
    for (const match of text.matchAll(pattern)) {
      const quoted = candidateTexts.some(
        (candidate) => candidate.includes(match[0].trim()) && match[0].trim().length > 1,
      );
      if (match[1]! <= lastLabel && !quoted) return true;
    }
  }
  return false;
}
