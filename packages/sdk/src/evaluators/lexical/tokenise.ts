import { stemmer } from "stemmer";
import { normaliseText } from "./normalise-text.ts";
import { STOP_WORDS } from "./stop-words.ts";

const scripts = ["Han", "Hiragana", "Katakana", "Thai", "Lao", "Khmer", "Myanmar"];

/** A letter of a script that is written without spaces between words. */
const unspaced = String.raw`[[${scripts.map((name) => String.raw`\p{scx=${name}}`).join("")}]&&\p{L}]`;

/** In this order: one unspaced letter; a number with inner points; a run of letters, marks, digits. */
const token = new RegExp(
  String.raw`${unspaced}\p{M}*|\p{N}+(?:\.\p{N}+)+|[[\p{L}\p{M}\p{N}]--${unspaced}]+`,
  "gv",
);

const alphabetic = /^[a-z]+$/;

/** How many words the stem memo holds before it starts again; bounds memory on endless input. */
const STEM_MEMO_WORDS = 20_000;

const stems = new Map<string, string>();

/** Porter stem of an English word; stop words, numbers and other scripts stay as they are. */
function stem(word: string): string {
  if (word.length <= 2 || !alphabetic.test(word) || STOP_WORDS.has(word)) return word;
  let result = stems.get(word);
  if (result === undefined) {
    if (stems.size >= STEM_MEMO_WORDS) stems.clear();
    result = stemmer(word);
    stems.set(word, result);
  }
  return result;
}

/**
 * Tokens of a text in order, for lexical matching.
 *
 * Letters and digits of any script count. Chinese, Japanese, Thai, Lao, Khmer and Burmese, which are
 * written without spaces, give one token a letter, so that a name is found inside a sentence.
 * Alphabetic English words are reduced by the Porter stemmer. Punctuation and symbols give nothing:
 * a text of these alone has no tokens.
 */
export function tokenise(text: string): string[] {
  const tokens = normaliseText(text).match(token);
  return tokens === null ? [] : tokens.map(stem);
}
