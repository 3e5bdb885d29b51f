import { ANSWER_KEY_PHRASES, ASSERTING_LINKS } from "./leak-words.ts";
import { findMention } from "./find-mention.ts";

/** A link and its filler ("is clearly the") stay within this many characters. */
const REACH = 30;

/**
 * Whether a rationale asserts one of these names as the answer key: a key phrase and a candidate
 * joined by a link such as "is" within one sentence, in either order. The phrase "gold standard",
 * or a key phrase with no candidate joined to it, is no leak.
 *
 * @param names ids and texts of the candidates in question
 */
export function assertsAnswerKey(text: string, names: readonly string[]): boolean {
  const wanted = names.map((name) => name.toLowerCase()).filter((name) => name.length > 1);
  return sentences(text.toLowerCase()).some((sentence) =>
    ANSWER_KEY_PHRASES.some((phrase) => {
      for (let at = findMention(sentence, phrase); at !== -1; at = findMention(sentence, phrase, at + 1)) {
        const end = at + phrase.length;
        if (wanted.some((name) => joinedAfter(sentence, end, name) || joinedBefore(sentence, at, name)))
          return true;
      }
      return false;
    }),
  );
}

function joinedAfter(sentence: string, end: number, name: string): boolean {
  const at = findMention(sentence, name, end);
  return at !== -1 && links(sentence.slice(end, at));
}

function joinedBefore(sentence: string, at: number, name: string): boolean {
  for (let from = findMention(sentence, name); from !== -1; from = findMention(sentence, name, from + 1)) {
    const end = from + name.length;
    if (end > at) return false;
    if (links(sentence.slice(end, at))) return true;
  }
  return false;
}

function links(between: string): boolean {
  if (between.length > REACH || between.includes(" not ") || between.includes("n't ")) return false;
  return ASSERTING_LINKS.some((link) => ` ${between} `.includes(link));
}

/** Cut at line ends and after `.`, `!`, `?` or `;` before a space. */
function sentences(text: string): string[] {
  return text.split(/[\n\r]|(?<=[.!?;])\s/u);
}
