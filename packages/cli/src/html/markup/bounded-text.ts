import { plural } from "./foreign.ts";
import { escapeText, markup, ownMarkup, type SafeHtml } from "./markup.ts";
import { textPieces } from "./visible-text.ts";

/** Bytes of markup that may still be written; shared by the parts of one thing. */
export interface ByteBudget {
  left: number;
}

/** A text from a run as markup: escaped, hidden characters marked, cut where the budget ends. */
export interface BoundedText {
  html: SafeHtml;
  /** UTF-16 units of the text that did not fit. */
  cut: number;
}

/**
 * Writes as much of a text as the budget allows. Works through what it writes and no further, so a text
 * of any size costs the same.
 */
export function boundedText(text: string, budget: ByteBudget): BoundedText {
  let out = "";
  let read = 0;
  for (const piece of textPieces(text)) {
    if (piece.hidden) {
      const markup = `<span class="hid">${piece.text}</span>`;
      if (markup.length > budget.left) break;
      out += markup;
      budget.left -= markup.length;
      read += piece.units;
      continue;
    }
    const taken = takeBytes(piece.text, budget);
    out += escapeText(taken);
    read += taken.length;
    if (taken.length < piece.text.length) break;
  }
  return { html: ownMarkup(out), cut: text.length - read };
}

/** {@link boundedText}, followed by how much is missing. */
export function boundedMarkup(text: string, budget: ByteBudget): SafeHtml {
  const { html, cut } = boundedText(text, budget);
  return cut === 0 ? html : markup`${html}${cutNote(cut)}`;
}

/** Says how many characters are not shown. */
export function cutNote(characters: number): SafeHtml {
  return markup`<span class="cut">… ${plural(characters, "more character")}</span>`;
}

function takeBytes(text: string, budget: ByteBudget): string {
  let length = 0;
  for (const character of text) {
    const bytes = byteLength(character);
    if (bytes > budget.left) break;
    budget.left -= bytes;
    length += character.length;
  }
  return text.slice(0, length);
}

/** Bytes of a character as it will stand in the file. */
function byteLength(character: string): number {
  const code = character.codePointAt(0)!;
  if (code < 0x80) return escapeText(character).length;
  return code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
}
