import { markup, type SafeHtml } from "./markup.ts";
import { shortText } from "./visible-text.ts";

/** A short text from a run on one line, kept from turning the text around it. */
export function foreign(text: string, limit = 80): SafeHtml {
  const short = shortText(text, limit);
  return UNTURNING.test(short) ? markup`${short}` : markup`<bdi>${short}</bdi>`;
}

/** Text that cannot turn what stands around it: none of its characters runs from right to left. */
const UNTURNING = /^[\u0020-\u007E…]*$/u;

/** With a capital letter first. */
export function capitalised(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Words of the terminal's as a sentence of a page. */
export function sentence(words: string): string {
  return `${capitalised(words)}.`;
}

/** `1 step`, `2 steps`; plural forms other than with s are given. */
export function plural(n: number, one: string, many = `${one}s`): string {
  return `${n.toLocaleString("en")} ${n === 1 ? one : many}`;
}
