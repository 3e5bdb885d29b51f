import { NOT_PYTHON } from "./not-python.ts";
import type { PythonNode, PythonPart } from "./python-node.ts";

/** What {@link angleParts} needs of the reader. */
export interface AngleReader {
  readonly text: string;
  at: number;
  blanks(): void;
  /** The `name` of `name=`, read up to its value. */
  key(): PythonNode | undefined;
  value(depth: number): PythonNode;
  word(start: number, end: number): PythonNode;
}

/** A bracket with a text or another bracket behind it; `[200]`, `(a: int)` and `{id}` are words. */
const CONTAINER = /[{[(](?:[bBuUrR]{0,2}['"]|[{[(])|\{[\d}]/y;
/** A text or bytes literal with its prefix. */
const TEXT = /[bBuUrR]{0,2}['"]/y;

function isAt(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}

function opensContainer(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return (code === 123 || code === 91 || code === 40) && isAt(CONTAINER, text, at);
}

function opensValue(text: string, at: number): boolean {
  return text[at] === "<" || isAt(TEXT, text, at) || opensContainer(text, at);
}

/** Reads on to the next blank or container, or the end of the object; `<...>` inside counts as letters. */
function wordEnd(text: string, start: number): number {
  let open = 0;
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 60) open += 1;
    else if (code === 62 && text.charCodeAt(at - 1) !== 45) {
      if (open === 0) return at;
      open -= 1;
    } else if (open === 0 && (code === 32 || (code >= 9 && code <= 13))) return at;
    else if (open === 0 && at > start && opensContainer(text, at)) return at;
  }
  throw NOT_PYTHON;
}

/**
 * What stands in `<...>`, from its first character on: `name=value` where the value is in quotes or
 * brackets is a field, everything else are words. Objects write about themselves what they like.
 */
export function angleParts(reader: AngleReader, depth: number): PythonPart[] {
  const { text } = reader;
  const parts: PythonPart[] = [];
  reader.at += 1;
  for (;;) {
    reader.blanks();
    const start = reader.at;
    if (text[start] === ">") {
      reader.at += 1;
      return parts;
    }
    const key = reader.key();
    const isValue = opensValue(text, reader.at) || (key !== undefined && text[reader.at] === "[");
    const value = isValue ? reader.value(depth) : reader.word(reader.at, wordEnd(text, reader.at));
    parts.push({ start, end: value.end, ...(key !== undefined && { key }), value });
  }
}
