import { utf8ToBytes } from "@noble/hashes/utils.js";

/** One text or bytes literal, ended before `end`. */
export interface TextLiteral {
  readonly end: number;
  readonly value: string;
  readonly isBytes: boolean;
  /** False where an escape has no value: `\N{...}`, whose names are not known here, and broken ones. */
  readonly isExact: boolean;
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ["n", "\n"],
  ["t", "\t"],
  ["r", "\r"],
  ["a", "\u0007"],
  ["b", "\b"],
  ["f", "\f"],
  ["v", "\v"],
  ["\\", "\\"],
  ["'", "'"],
  ['"', '"'],
  ["\n", ""],
]);
const CODE = /\\(?:([0-7]{1,3})|x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8}))/y;
const BACKSLASH = 92;

interface Escape {
  readonly value: string;
  readonly end: number;
  readonly isExact: boolean;
}

/** The escape at a backslash. One that means nothing keeps its backslash, as in Python. */
function escapeAt(text: string, at: number, isBytes: boolean): Escape {
  const letter = text.charAt(at + 1);
  const known = ESCAPES.get(letter);
  if (known !== undefined) return { value: known, end: at + 2, isExact: true };
  const hasCode = letter === "x" || ((letter === "u" || letter === "U") && !isBytes);
  if (hasCode || /[0-7]/.test(letter)) {
    CODE.lastIndex = at;
    const match = CODE.exec(text);
    if (match !== null) {
      const code = match[1] === undefined ? parseInt(match[0].slice(2), 16) : parseInt(match[1], 8);
      if (code <= 0x10_ff_ff) {
        const value = String.fromCodePoint(isBytes ? code & 0xff : code);
        return { value, end: at + match[0].length, isExact: true };
      }
    }
  }
  const isBroken = hasCode || (letter === "N" && !isBytes);
  return { value: `\\${letter}`, end: at + 1 + letter.length, isExact: !isBroken };
}

/** Where the quotes of a literal that begins at `at` stand, behind a prefix of at most two letters. */
function quoteAt(text: string, at: number): { open: number; isBytes: boolean; isRaw: boolean } | undefined {
  let open = at;
  let isBytes = false;
  let isRaw = false;
  for (; open < at + 2; open += 1) {
    const letter = text.charAt(open).toLowerCase();
    if (letter === "b") isBytes = true;
    else if (letter === "r") isRaw = true;
    else if (letter !== "u") break;
  }
  const quote = text.charCodeAt(open);
  return quote === 39 || quote === 34 ? { open, isBytes, isRaw } : undefined;
}

/**
 * Reads the text or bytes literal at `at`; undefined where none begins or it does not end. Line breaks
 * may stand in any, since logs undo escapes.
 */
export function textLiteralAt(text: string, at: number): TextLiteral | undefined {
  const opening = quoteAt(text, at);
  if (opening === undefined) return undefined;
  const { open, isBytes, isRaw } = opening;
  const quote = text.charCodeAt(open);
  const isTriple = text.charCodeAt(open + 1) === quote && text.charCodeAt(open + 2) === quote;
  const width = isTriple ? 3 : 1;
  const closing = text.slice(open, open + width);
  let value = "";
  let isExact = true;
  let from = open + width;
  for (let i = from; i < text.length;) {
    const code = text.charCodeAt(i);
    if (code === quote && (!isTriple || text.startsWith(closing, i))) {
      return { end: i + width, value: value + text.slice(from, i), isBytes, isExact };
    }
    if (code !== BACKSLASH) i += 1;
    else if (isRaw) i += 2;
    else {
      const escape = escapeAt(text, i, isBytes);
      value += text.slice(from, i) + escape.value;
      isExact &&= escape.isExact;
      i = from = escape.end;
    }
  }
  return undefined;
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** What a bytes literal holds: the text it is in UTF-8, or else its bytes. */
export function bytesContent(value: string): { text: string; bytes?: Uint8Array } {
  // Letters that no bytes literal can hold: somebody decoded it already.
  const bytes = /[^\0-\xff]/.test(value)
    ? utf8ToBytes(value)
    : Uint8Array.from(value, (c) => c.charCodeAt(0));
  try {
    if (!bytes.includes(0)) return { text: decoder.decode(bytes) };
  } catch {
    // Not UTF-8.
  }
  return { text: value, bytes };
}
