import type { TopLogprob } from "../schema/index.ts";

// The rules of `normalisation.variants: "label-variants-1"` in a protocol. A change here needs a new name there.

/** What may stand around a label: `A.` `A)` `A:` `(A` `"A"` `**A`. Whitespace goes as well. */
const LIGHT_PUNCTUATION = new Set([".", ")", "(", ":", "：", "*", '"', "'", "`"]);

/** How tokenizers write a space or a line feed in the text of a token. */
const TOKENIZER_SPACES: readonly (readonly [string, string])[] = [
  ["▁", " "],
  ["Ġ", " "],
  ["Ċ", "\n"],
  ["<0x0A>", "\n"],
];

/**
 * The label a token stands for once whitespace and light punctuation are gone, or what is left of
 * it. Never lower-cased (`a` is an English word) and never folded (Cyrillic А is not Latin A).
 */
export function normaliseToken(entry: TopLogprob): string {
  let text = tokenText(entry);
  for (const [written, meant] of TOKENIZER_SPACES) text = text.replaceAll(written, meant);
  let from = 0;
  let to = text.length;
  while (from < to && isLight(text[from]!)) from++;
  while (to > from && isLight(text[to - 1]!)) to--;
  return text.slice(from, to);
}

/**
 * Two entries with the same identity are the same token: the same bytes, or the same text where a
 * server gives no bytes.
 */
export function tokenIdentity(entry: TopLogprob): string {
  if (!hasBytes(entry)) return `text ${entry.token}`;
  const ascii = asciiText(entry.bytes);
  if (ascii !== undefined) return `text ${ascii}`;
  try {
    return `text ${strict.decode(Uint8Array.from(entry.bytes))}`;
  } catch {
    // Part of a character; its text would be U+FFFD, like that of any other part.
    return `bytes ${entry.bytes.join(",")}`;
  }
}

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const lenient = new TextDecoder("utf-8", { ignoreBOM: true });

function tokenText(entry: TopLogprob): string {
  if (!hasBytes(entry)) return entry.token;
  return asciiText(entry.bytes) ?? lenient.decode(Uint8Array.from(entry.bytes));
}

/** Nearly all tokens are ASCII, and a decoder costs more than the rest of reading a list. */
function asciiText(bytes: readonly number[]): string | undefined {
  const short = bytes.length <= 64 && bytes.every((byte) => byte < 128);
  return short ? String.fromCharCode(...bytes) : undefined;
}

function hasBytes(entry: TopLogprob): entry is TopLogprob & { bytes: number[] } {
  return Array.isArray(entry.bytes) && entry.bytes.length > 0;
}

function isLight(char: string): boolean {
  return LIGHT_PUNCTUATION.has(char) || char.trim() === "";
}
