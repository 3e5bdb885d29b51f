import { InvalidRecordError, type RecordPlace } from "../../errors/index.ts";
import { readText, showId } from "./review-text.ts";

/** One filled-in line of a review file. */
export interface ReviewField {
  value: string;
  place: RecordPlace;
}

/** A set's block: its fields by name, and its answers by candidate id. */
export interface ReviewBlock {
  /** Of its opening line. */
  place: RecordPlace;
  fields: Map<string, ReviewField>;
  answers: Map<string, ReviewField>;
}

const FIELDS: readonly string[] = ["task", "question", "accept", "target", "notes", "keep", "guard"];
const OPENING = "=== set";

/**
 * Splits a review file into the reviewer's line and the blocks of its sets.
 *
 * @throws InvalidRecordError naming the line that belongs to no block, has no known name, stands
 * twice, or holds a broken string
 */
export function reviewLines(
  text: string,
  source: string,
): { reviewer: ReviewField | undefined; blocks: ReviewBlock[] } {
  const head = new Map<string, ReviewField>();
  const blocks: ReviewBlock[] = [];
  for (const [i, raw] of text
    .replace(/^\uFEFF/u, "")
    .split("\n")
    .entries()) {
    const line = raw.replace(/\r$/u, "");
    const place = { source, line: i + 1 };
    if (line.startsWith("#") || line.trim() === "") continue;
    if (line.startsWith(OPENING)) {
      blocks.push({ place, fields: new Map(), answers: new Map() });
      continue;
    }
    const block = blocks.at(-1);
    const { name, id, value } = fieldOf(line, place);
    const known = block === undefined ? name === "reviewer" : id !== undefined || FIELDS.includes(name);
    if (!known) throw new InvalidRecordError(place, name, "is no field that can stand here");
    const fields = block === undefined ? head : id === undefined ? block.fields : block.answers;
    const key = id ?? name;
    if (fields.has(key)) throw new InvalidRecordError(place, showId(key), "stands in this set already");
    fields.set(key, { value, place });
  }
  return { reviewer: head.get("reviewer"), blocks };
}

/** `name: value`, or `answer ID: text` where the id may be a quoted string. */
function fieldOf(line: string, place: RecordPlace): { name: string; id?: string; value: string } {
  const match =
    /^answer[ \t]+("(?:[^"\\]|\\.)*"|[^":][^:]*):(.*)$/su.exec(line) ?? /^([a-z]+)[ \t]*:(.*)$/su.exec(line);
  if (match === null) {
    const problem = 'must be "name: value"; a text that a person edits stays on one line';
    throw new InvalidRecordError(place, "line", problem);
  }
  const [, name = "", rest = ""] = match;
  // What is JSON by nature is left for its reader.
  if (name === "keep") return { name, value: rest.trim() };
  const value = text(rest, name, place);
  return line.startsWith("answer")
    ? { name: "answer", id: text(name, "answer", place), value }
    : { name, value };
}

function text(shown: string, name: string, place: RecordPlace): string {
  const value = readText(shown);
  if (value !== undefined) return value;
  throw new InvalidRecordError(
    place,
    name,
    "must be a whole JSON string, since it opens with a double quote",
  );
}
