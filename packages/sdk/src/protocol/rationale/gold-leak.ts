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

// Both look at a window of fixed size, so that a text full of phrases costs linear time. The window
// is one character longer than it needs to be: the end of a word shows in the character after it.

function joinedAfter(sentence: string, end: number, name: string): boolean {
  const window = sentence.slice(end, end + REACH + name.length + 1);
  const at = findMention(window, name);
  return at !== -1 && links(window.slice(0, at));
}

function joinedBefore(sentence: string, at: number, name: string): boolean {
  const window = sentence.slice(Math.max(0, at - REACH - name.length - 1), at);
  for (let from = findMention(window, name); from !== -1; from = findMention(window, name, from + 1)) {
    if (links(window.slice(from + name.length))) return true;
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
