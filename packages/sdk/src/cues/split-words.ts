import { stemmer } from "stemmer";
import { normaliseText } from "../evaluators/lexical/normalise-text.ts";
import { STOP_WORDS } from "../evaluators/lexical/stop-words.ts";

/** Scripts that are written without spaces between words: each letter counts as a word. */
const unspaced = ["Han", "Hiragana", "Katakana", "Thai", "Lao", "Khmer", "Myanmar"]
  .map((script) => String.raw`\p{scx=${script}}`)
  .join("");

/** One unspaced letter; a number with inner points; a run of letters, marks and digits. */
const word = new RegExp(
  String.raw`[[${unspaced}]&&\p{L}]\p{M}*|\p{N}+(?:\.\p{N}+)+|[[\p{L}\p{M}\p{N}]--[[${unspaced}]&&\p{L}]]+`,
  "gv",
);
const english = /^[a-z]{3,}$/;

/** The words of a text in order: lower case, Unicode NFKC, digit groups joined, no punctuation. */
export function splitWords(text: string): string[] {
  return normaliseText(text).match(word) ?? [];
}

/** Porter stem of an English word of three letters or more; any other word as it is. */
export function stemOf(word: string): string {
  return english.test(word) ? stemmer(word) : word;
}

/** False for the function words that stand in any text. */
export function isContentWord(word: string): boolean {
  return !STOP_WORDS.has(word);
}
