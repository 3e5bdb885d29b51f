import { diffLines, diffWordsWithSpace } from "diff";

/** A stretch of text that stayed, came or went. */
export interface Segment {
  op: "same" | "added" | "removed";
  text: string;
  /** Characters that are left out in the middle of an unchanged stretch, or at the end of a long one. */
  omitted?: number;
}

/** Longer texts are compared by what stands before and after the change only. */
const MOST_COMPARED = 20_000;
/** Edits after which a comparison is given up: the texts have little in common. */
const MOST_EDITS = 1_500;
/** Characters of context kept beside a change. */
const CONTEXT = 70;
/** Characters kept of one added or removed stretch. */
const MOST_KEPT = 6_000;
const MOST_SEGMENTS = 120;

/**
 * What changed between two texts, with some context. The work is bounded whatever the texts hold: the
 * common beginning and end are skipped, and only a middle of some 20,000 characters is compared by
 * words, then by lines; a larger or unlike one counts as replaced.
 */
export function textDifference(before: string, after: string): Segment[] {
  const start = commonStart(before, after);
  const end = commonEnd(before, after, start);
  const oldMiddle = before.slice(start, before.length - end);
  const newMiddle = after.slice(start, after.length - end);
  return tidy([
    { op: "same", text: before.slice(0, start) },
    ...compareMiddles(oldMiddle, newMiddle),
    { op: "same", text: before.slice(before.length - end) },
  ]);
}

function compareMiddles(before: string, after: string): Segment[] {
  const replaced: Segment[] = [
    { op: "removed", text: before },
    { op: "added", text: after },
  ];
  if (before === "" || after === "" || before.length + after.length > MOST_COMPARED) return replaced;
  const options = { maxEditLength: MOST_EDITS };
  const changes = diffWordsWithSpace(before, after, options) ?? diffLines(before, after, options);
  if (changes === undefined) return replaced;
  const segments = changes.map(({ value, added, removed }): Segment => ({
    op: added ? "added" : removed ? "removed" : "same",
    text: value,
  }));
  // Two texts that share some words and no sense read better one after the other than interleaved.
  const kept = segments.reduce((sum, { op, text }) => sum + (op === "same" ? text.trim().length : 0), 0);
  return kept < 0.35 * Math.max(before.length, after.length) ? replaced : segments;
}

/** Length of the common beginning, back to a word's start so that no word is cut. */
function commonStart(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let length = 0;
  while (length < most && a.charCodeAt(length) === b.charCodeAt(length)) length++;
  if (length === a.length && length === b.length) return length;
  const wordStart = /\s/.test(a[length] ?? " ") && /\s/.test(b[length] ?? " ");
  if (wordStart) return length;
  const limit = Math.max(0, length - 200);
  while (length > limit && !/\s/.test(a[length - 1]!)) length--;
  return backToCodePoint(a, length);
}

function commonEnd(a: string, b: string, start: number): number {
  const most = Math.min(a.length, b.length) - start;
  let length = 0;
  while (length < most && a.charCodeAt(a.length - 1 - length) === b.charCodeAt(b.length - 1 - length))
    length++;
  const limit = Math.max(0, length - 200);
  while (length > limit && length < most && !/\s/.test(a[a.length - length]!)) length--;
  while (length > 0 && isLowSurrogate(a, a.length - length)) length--;
  return length;
}

function backToCodePoint(text: string, at: number): number {
  return at > 0 && isLowSurrogate(text, at) ? at - 1 : at;
}

function isLowSurrogate(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff;
}

/** Empty stretches go, long ones are shortened, and at most {@link MOST_SEGMENTS} remain. */
function tidy(segments: readonly Segment[]): Segment[] {
  const kept = segments.filter(({ text }) => text !== "");
  const shown = kept
    .slice(0, MOST_SEGMENTS)
    .flatMap((segment, i) => shorten(segment, i === 0, i === kept.length - 1));
  const dropped = kept.slice(MOST_SEGMENTS).reduce((sum, { text }) => sum + text.length, 0);
  if (dropped > 0) shown.push({ op: "same", text: "", omitted: dropped });
  return shown;
}

function shorten(segment: Segment, first: boolean, last: boolean): Segment[] {
  const { op, text } = segment;
  if (op !== "same") return text.length <= MOST_KEPT ? [segment] : [{ op, ...keepHead(text, MOST_KEPT) }];
  const head = first ? "" : headOf(text, CONTEXT);
  const tail = last ? "" : tailOf(text, CONTEXT);
  const omitted = text.length - head.length - tail.length;
  if (omitted <= CONTEXT) return [segment];
  return [
    { op, text: head, omitted },
    { op, text: tail },
  ].filter(({ text: part, omitted: left }) => part !== "" || left !== undefined) as Segment[];
}

function keepHead(text: string, length: number): { text: string; omitted: number } {
  const head = headOf(text, length);
  return { text: head, omitted: text.length - head.length };
}

/** About `length` characters from the beginning, up to a word's end and never through a code point. */
function headOf(text: string, length: number): string {
  if (text.length <= length) return text;
  const space = text.lastIndexOf(" ", length);
  return text.slice(0, space > length / 2 ? space : backToCodePoint(text, length));
}

function tailOf(text: string, length: number): string {
  if (text.length <= length) return text;
  const from = text.length - length;
  const space = text.indexOf(" ", from);
  if (space !== -1 && space < from + length / 2) return text.slice(space);
  return text.slice(isLowSurrogate(text, from) ? from + 1 : from);
}
