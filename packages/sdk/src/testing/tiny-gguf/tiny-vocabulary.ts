/** A vocabulary in the form a GGUF file holds it. */
export interface TinyVocabulary {
  tokens: readonly string[];
  types: readonly number[];
  /** Scores of a SentencePiece vocabulary; all 0 for BPE. */
  scores: readonly number[];
  /** Merges of a BPE vocabulary; empty for SentencePiece. */
  merges: readonly string[];
  bos: number;
  eos: number;
  unknown?: number;
}

const TYPE = { normal: 1, unknown: 2, control: 3, byte: 6 } as const;
const LABELS = ["A", "B", "C", "D", "E", "F", "G", "H"];

function newVocabulary() {
  const lists = { tokens: [] as string[], types: [] as number[], scores: [] as number[] };
  const add = (token: string, type: number, score = 0): number => {
    lists.types.push(type);
    lists.scores.push(score);
    return lists.tokens.push(token) - 1;
  };
  return { lists, add };
}

/** Byte-level BPE: the 256 bytes, `" A"` … `" H"` and `"A."` … `"H."`. */
export function bpeVocabulary(): TinyVocabulary {
  const { lists, add } = newVocabulary();
  const byteText = byteTexts();
  for (const text of byteText) add(text, TYPE.normal);
  const space = byteText[0x20]!;
  const merges: string[] = [];
  for (const [first, second] of [
    ...LABELS.map((label) => [space, label] as const),
    ...LABELS.map((label) => [label, "."] as const),
  ]) {
    add(first + second, TYPE.normal);
    merges.push(`${first} ${second}`);
  }
  const bos = add("<|bos|>", TYPE.control);
  const eos = add("<|eos|>", TYPE.control);
  return { ...lists, merges, bos, eos };
}

/** SentencePiece with byte fallback: the printable characters and `▁A` … `▁H`. */
export function spmVocabulary(): TinyVocabulary {
  const { lists, add } = newVocabulary();
  const unknown = add("<unk>", TYPE.unknown);
  const bos = add("<s>", TYPE.control);
  const eos = add("</s>", TYPE.control);
  for (let byte = 0; byte < 256; byte++) {
    add(`<0x${byte.toString(16).toUpperCase().padStart(2, "0")}>`, TYPE.byte);
  }
  const pieces = [...LABELS.map((label) => `\u2581${label}`), "\u2581", ...printableAscii()];
  for (const [i, piece] of pieces.entries()) add(piece, TYPE.normal, -1 - i);
  return { ...lists, merges: [], bos, eos, unknown };
}

/** What a byte-level BPE writes for each byte: itself where it can be seen, else U+0100 onwards. */
function byteTexts(): string[] {
  let hidden = 256;
  return Array.from({ length: 256 }, (_, byte) => {
    const visible =
      (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || (byte >= 0xae && byte <= 0xff);
    return String.fromCodePoint(visible ? byte : hidden++);
  });
}

function printableAscii(): string[] {
  return Array.from({ length: 0x7f - 0x21 }, (_, i) => String.fromCharCode(0x21 + i));
}
