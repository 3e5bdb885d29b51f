import type { JsonValue } from "../schema/index.ts";
import { entriesOf } from "./likeness.ts";
import { looksLikePython } from "./looks-like-python.ts";
import { NOT_PYTHON, TOO_MANY } from "./not-python.ts";
import type { PythonNode, PythonPart, PythonText } from "./python-node.ts";
import { PythonReader } from "./python-reader.ts";

/** Containers inside one another that a literal may have. */
const MOST_DEPTH = 64;
/** Values of one text; each takes some hundred bytes while it is read. */
const MOST_VALUES = 2_000_000;

/**
 * `name=value name=value`, at least two on one line, as `str()` prints a pydantic model; undefined where
 * the text does not open like that. A line of a log, whose values are bare words, is none.
 */
function fields(reader: PythonReader): PythonNode | undefined {
  const start = reader.at;
  const parts: PythonPart[] = [];
  while (reader.at < reader.text.length) {
    const part = reader.keyword(0);
    if (part === undefined) break;
    if (part.value.kind === "name") throw NOT_PYTHON;
    parts.push(part);
    while (reader.takes(" "));
  }
  if (parts.length === 0) return undefined;
  if (parts.length === 1) throw NOT_PYTHON;
  const { end } = parts.at(-1)!;
  return { kind: "fields", start, end, close: end, value: entriesOf(parts, reader.text), parts };
}

/**
 * A text that is, but for blanks around it, one value as Python's `repr()` and `str()` print it: a dict,
 * list, tuple, set, text or bytes literal, an object as a call or in `<...>`, a model's fields. Undefined
 * for every other text. Linear in the text, evaluates nothing.
 *
 * Reads more than Python would: raw line breaks in texts, words as keys and values (`{a: null}`), and
 * escapes that mean nothing.
 *
 * @param mostDepth containers inside one another that are looked into
 * @param mostValues values that are read; `"too many"` where there are more, or more than two million
 */
export function readPython(
  text: string,
  mostDepth: number,
  mostValues: number,
): PythonText | "too many" | undefined {
  if (!looksLikePython(text)) return undefined;
  const reader = new PythonReader(text, mostDepth, Math.min(mostValues, MOST_VALUES));
  try {
    reader.blanks();
    const root = fields(reader) ?? reader.value(0);
    reader.blanks();
    if (reader.at < text.length || root.kind === "name" || root.kind === "scalar") return undefined;
    return { root, isLiteral: reader.isLiteral, holdsText: reader.holdsText };
  } catch (error) {
    if (error === NOT_PYTHON) return undefined;
    if (error === TOO_MANY) return "too many";
    throw error;
  }
}

/**
 * The value of what Python prints for a dict, list, tuple or set of plain values, as JSON; undefined for
 * any other text, such as one with an object in it (`HumanMessage(...)`), beyond 64 levels and beyond two
 * million values. Linear in the text's length.
 *
 * Tuples and sets become lists, bytes the text they are in UTF-8. Keys become texts: numbers, None, True
 * and flat tuples as JSON. Whole numbers beyond 2^53, complex numbers and floats that no double holds
 * become texts, so that no digit is lost; nan and inf become `"NaN"`, `"Infinity"` and `"-Infinity"`.
 */
export function readPythonLiteral(text: string): JsonValue | undefined {
  const read = /^\s*(?:[[({]|set\()/.test(text) ? readPython(text, MOST_DEPTH, MOST_VALUES) : undefined;
  if (read === undefined || read === "too many" || !read.isLiteral) return undefined;
  return typeof read.root.value === "object" ? (read.root.value as JsonValue) : undefined;
}
