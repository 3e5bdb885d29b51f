import { markup, type SafeHtml } from "./markup.ts";
import { shortText } from "./visible-text.ts";

/** A short text from a run on one line, kept from turning the text around it. */
export function foreign(text: string, limit = 80): SafeHtml {
  return markup`<bdi>${shortText(text, limit)}</bdi>`;
}

/** `1 step`, `2 steps`; plural forms other than with s are given. */
export function plural(n: number, one: string, many = `${one}s`): string {
  return `${n.toLocaleString("en")} ${n === 1 ? one : many}`;
}
