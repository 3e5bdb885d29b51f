import { PythonFloat, pythonFloatText } from "./python-float.ts";

/** What can be written: JSON with some numbers marked as Python floats. */
export type PythonJson =
  | string
  | number
  | boolean
  | null
  | PythonFloat
  | readonly PythonJson[]
  | { readonly [key: string]: PythonJson | undefined };

/**
 * JSON as Python's `json.dumps(value, sort_keys=True, ensure_ascii=False)` writes it: keys sorted by
 * code point, `", "` and `": "` between items, other characters than ASCII as they are.
 *
 * A plain number is written as an int where it is a whole one that a double holds exactly, and as a float
 * otherwise; JSON has already lost which of 1 and 1.0 its source said.
 *
 * @param indent spaces a level; on one line when left out
 */
export function pythonJson(value: PythonJson, indent?: number): string {
  return write(value, indent, 0);
}

function write(value: PythonJson, indent: number | undefined, depth: number): string {
  if (typeof value === "number") return numberText(value);
  if (value instanceof PythonFloat) return pythonFloatText(value.value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) {
    const items = (value as readonly PythonJson[]).map((item) => write(item, indent, depth + 1));
    return wrap("[", items, "]", indent, depth);
  }
  const members = Object.entries(value as Record<string, PythonJson | undefined>)
    .filter((entry): entry is [string, PythonJson] => entry[1] !== undefined)
    .sort(([a], [b]) => compareCodePoints(a, b))
    .map(([key, inner]) => `${JSON.stringify(key)}: ${write(inner, indent, depth + 1)}`);
  return wrap("{", members, "}", indent, depth);
}

function wrap(
  open: string,
  items: readonly string[],
  close: string,
  indent: number | undefined,
  depth: number,
) {
  if (items.length === 0) return open + close;
  if (indent === undefined) return open + items.join(", ") + close;
  const pad = "\n" + " ".repeat(indent * (depth + 1));
  return open + pad + items.join(`,${pad}`) + "\n" + " ".repeat(indent * depth) + close;
}

function numberText(value: number): string {
  return Number.isSafeInteger(value) && !Object.is(value, -0) ? String(value) : pythonFloatText(value);
}

/** Python orders strings by code point; JavaScript's `<` by UTF-16 unit, which differs above U+FFFF. */
export function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x === y) continue;
    const isSurrogate = (unit: number) => unit >= 0xd800 && unit <= 0xdfff;
    return isSurrogate(x) === isSurrogate(y) ? x - y : isSurrogate(x) ? 1 : -1;
  }
  return a.length - b.length;
}
