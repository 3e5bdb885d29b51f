import type { JsonValue } from "../../schema/index.ts";

/** Control, format, private and unassigned characters, half surrogate pairs, and line ends of any kind. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}]/gu;

/**
 * A text on one line for a person to read and edit. A text with characters that cannot be seen, or
 * that would not survive as it is, stands as a JSON string with those characters escaped; so nothing
 * in a review file moves a terminal's cursor, hides, or passes for another line of the file.
 */
export function showText(text: string): string {
  const plain = text !== "" && text.trim() === text && !text.startsWith('"') && text.search(UNSEEN) === -1;
  return plain ? text : showJson(text);
}

/** An id on one line, so that the colon after it is the first one outside its quotes. */
export function showId(id: string): string {
  return id.includes(":") ? showJson(id) : showText(id);
}

/** JSON on one line with every character that cannot be seen escaped. */
export function showJson(value: JsonValue): string {
  return JSON.stringify(value).replace(UNSEEN, (char) =>
    Array.from({ length: char.length }, (_, i) => escape(char.charCodeAt(i))).join(""),
  );
}

/** The text a person left on a line; undefined for a string that opens with a quote and is not JSON. */
export function readText(shown: string): string | undefined {
  const text = shown.trim();
  if (!text.startsWith('"')) return text;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "string" ? value : undefined;
  } catch {
    return undefined;
  }
}

function escape(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, "0")}`;
}
