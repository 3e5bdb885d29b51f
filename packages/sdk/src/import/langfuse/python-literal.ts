import type { JsonValue } from "../../schema/index.ts";

/** Nesting beyond this is taken for no literal. */
const MOST_DEPTH = 64;

const NAMES = new Map<string, JsonValue>([
  ["None", null],
  ["True", true],
  ["False", false],
]);
const ESCAPES = new Map([
  ["n", "\n"],
  ["t", "\t"],
  ["r", "\r"],
  ["a", "\u0007"],
  ["b", "\b"],
  ["f", "\f"],
  ["v", "\v"],
  ["\n", ""],
]);
const CLOSING: Readonly<Record<string, string>> = { "[": "]", "(": ")", "{": "}" };

class NoLiteral extends Error {}

/**
 * The value of what Python's `repr` prints for a dict, list, tuple or set of plain values; undefined for any
 * other text, such as one with an object in it (`HumanMessage(...)`). Linear in the text's length.
 *
 * Tuples and sets become lists, keys texts, bytes texts. A whole number beyond 2^53 becomes a text, so that
 * no digit is lost.
 */
export function readPythonLiteral(text: string): JsonValue | undefined {
  const start = text.trimStart();
  if (!/^[[({]/.test(start)) return undefined;
  try {
    return new Reader(start).whole();
  } catch (error) {
    if (error instanceof NoLiteral) return undefined;
    throw error;
  }
}

class Reader {
  readonly #text: string;
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  whole(): JsonValue {
    const value = this.#value();
    this.#blank();
    if (this.#at < this.#text.length) throw new NoLiteral();
    return value;
  }

  #value(): JsonValue {
    this.#blank();
    const sign = this.#text[this.#at] ?? "";
    if (sign === "{") return this.#braces();
    if (sign === "[" || sign === "(") return this.#list(sign);
    const string = this.#match(/[bBuU]?(?=['"])/y);
    if (string !== undefined) return this.#string();
    const number = this.#match(/-?\d+(?:\.\d*)?(?:[eE][+-]?\d+)?/y);
    if (number !== undefined) return numberOf(number);
    const name = this.#match(/(?:None|True|False)\b/y);
    if (name === undefined) throw new NoLiteral();
    return NAMES.get(name)!;
  }

  #list(open: string): JsonValue[] {
    const items: JsonValue[] = [];
    this.#inside(open, () => items.push(this.#value()));
    return items;
  }

  /** A dict, or a set: the first element tells. */
  #braces(): JsonValue {
    const items: JsonValue[] = [];
    const entries: [string, JsonValue][] = [];
    this.#inside("{", () => {
      const key = this.#value();
      this.#blank();
      if (this.#text[this.#at] !== ":") return items.push(key);
      this.#at += 1;
      return entries.push([typeof key === "string" ? key : JSON.stringify(key), this.#value()]);
    });
    if (items.length > 0 && entries.length > 0) throw new NoLiteral();
    return items.length > 0 ? items : Object.fromEntries(entries);
  }

  /** Elements between brackets, with commas between them and perhaps one after the last. */
  #inside(open: string, element: () => unknown): void {
    const close = CLOSING[open]!;
    this.#at += 1;
    if ((this.#depth += 1) > MOST_DEPTH) throw new NoLiteral();
    for (;;) {
      this.#blank();
      if (this.#text[this.#at] === close) break;
      element();
      this.#blank();
      const next = this.#text[this.#at];
      if (next === close) break;
      if (next !== ",") throw new NoLiteral();
      this.#at += 1;
    }
    this.#at += 1;
    this.#depth -= 1;
  }

  #string(): string {
    const quote = this.#text[this.#at]!;
    let value = "";
    for (this.#at += 1; ;) {
      const plain = this.#match(quote === "'" ? /[^'\\]+/y : /[^"\\]+/y);
      if (plain !== undefined) value += plain;
      const sign = this.#text[this.#at];
      if (sign === undefined) throw new NoLiteral();
      this.#at += 1;
      if (sign === quote) return value;
      value += this.#escape();
    }
  }

  #escape(): string {
    const code = this.#match(/x[\da-fA-F]{2}|u[\da-fA-F]{4}|U[\da-fA-F]{8}/y);
    if (code !== undefined) {
      const point = Number.parseInt(code.slice(1), 16);
      if (point > 0x10ffff) throw new NoLiteral();
      return String.fromCodePoint(point);
    }
    const sign = this.#text[this.#at];
    if (sign === undefined) throw new NoLiteral();
    this.#at += 1;
    return ESCAPES.get(sign) ?? sign;
  }

  #blank(): void {
    this.#match(/\s+/y);
  }

  /** What the pattern finds right here. An empty find moves nothing and is still one. */
  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found !== undefined) this.#at += found.length;
    return found;
  }
}

function numberOf(digits: string): JsonValue {
  const value = Number(digits);
  if (!Number.isFinite(value)) throw new NoLiteral();
  return Number.isInteger(value) && !Number.isSafeInteger(value) && /^-?\d+$/.test(digits) ? digits : value;
}
