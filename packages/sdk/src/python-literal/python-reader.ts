import { angleParts } from "./angle-parts.ts";
import { entriesOf, listOf, pairParts, PAIRS_OF } from "./likeness.ts";
import { NOT_PYTHON, TOO_MANY } from "./not-python.ts";
import { numberLiteralAt } from "./number-literal.ts";
import type { PythonKind, PythonNode, PythonPart } from "./python-node.ts";
import { bytesContent, textLiteralAt } from "./text-literal.ts";

const NAME =
  /[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*(?:\.(?:<locals>|<lambda>|[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*))*|\.\.\./y;
const KEYWORD = /[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*=(?!=)/y;
const CONSTANTS: ReadonlyMap<string, unknown> = new Map([
  ["None", null],
  ["True", true],
  ["False", false],
]);
const NO_PARTS: readonly PythonPart[] = [];

/** Reads the values of one text, each character a bounded number of times. Nothing is ever evaluated. */
export class PythonReader {
  readonly text: string;
  isLiteral = true;
  holdsText = false;
  at = 0;
  readonly #mostDepth: number;
  #valuesLeft: number;

  /**
   * @param mostDepth containers inside one another that are looked into; deeper ones are passed over
   * @param mostValues values that are read; more of them throw
   */
  constructor(text: string, mostDepth: number, mostValues: number) {
    this.text = text;
    this.#mostDepth = mostDepth;
    this.#valuesLeft = mostValues;
  }

  blanks(): void {
    for (;;) {
      const code = this.text.charCodeAt(this.at);
      if (code !== 32 && !(code >= 9 && code <= 13)) return;
      this.at += 1;
    }
  }

  takes(char: string): boolean {
    if (this.text[this.at] !== char) return false;
    this.at += 1;
    return true;
  }

  /** The value that begins here, inside so many containers. */
  value(depth: number): PythonNode {
    if ((this.#valuesLeft -= 1) < 0) throw TOO_MANY;
    const start = this.at;
    const open = this.text[start] ?? "";
    if (open === "{" || open === "[" || open === "(" || open === "<") {
      if (depth >= this.#mostDepth) return this.#deep(start);
      if (open === "{") return this.#braces(start, depth);
      if (open === "[") return this.#list(start, depth);
      return open === "(" ? this.#parens(start, depth) : this.#angle(start, depth);
    }
    const text = this.#texts(start);
    if (text !== undefined) return text;
    const number = numberLiteralAt(this.text, start);
    if (number !== undefined) return this.#leaf("scalar", start, number.end, number.value);
    return this.#named(start, depth);
  }

  /** The `name` of `name=`, read up to its value; undefined where no such name begins here. */
  key(): PythonNode | undefined {
    const start = this.at;
    const name = this.#match(KEYWORD)?.slice(0, -1);
    if (name === undefined) return undefined;
    this.isLiteral = false;
    this.holdsText = true;
    const end = start + name.length;
    return { kind: "name", start, end, value: name, parts: NO_PARTS, close: end };
  }

  /** `name=value`. */
  keyword(depth: number): PythonPart | undefined {
    const key = this.key();
    if (key === undefined) return undefined;
    const value = this.value(depth);
    return { start: key.start, end: value.end, key, value };
  }

  /** What says nothing, at [start, end). */
  word(start: number, end: number): PythonNode {
    if ((this.#valuesLeft -= 1) < 0) throw TOO_MANY;
    return this.#leaf("name", start, end, this.text.slice(start, end));
  }

  #node(kind: PythonKind, start: number, parts: readonly PythonPart[], value: unknown): PythonNode {
    return { kind, start, end: this.at, value, parts, close: this.at - 1 };
  }

  #leaf(kind: PythonKind, start: number, end: number, value: unknown): PythonNode {
    this.at = end;
    return { kind, start, end, value, parts: NO_PARTS, close: end };
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0];
    if (found !== undefined) this.at += found.length;
    return found;
  }

  /** A text, or several side by side, which Python takes for one. */
  #texts(start: number): PythonNode | undefined {
    let value = "";
    let isBytes = false;
    let end = -1;
    for (;;) {
      const literal = textLiteralAt(this.text, this.at);
      if (literal === undefined) break;
      isBytes ||= literal.isBytes;
      this.isLiteral &&= literal.isExact;
      value += literal.value;
      this.at = end = literal.end;
      this.blanks();
    }
    if (end < 0) return undefined;
    this.at = end;
    this.holdsText = true;
    if (!isBytes) return this.#leaf("text", start, end, value);
    const { text, bytes } = bytesContent(value);
    const leaf = this.#leaf("bytes", start, end, text);
    return bytes === undefined ? leaf : { ...leaf, bytes };
  }

  /** Elements up to the closing bracket, with commas between them and perhaps one after the last. */
  #inside(close: string, element: () => PythonPart): { parts: PythonPart[]; hasComma: boolean } {
    const parts: PythonPart[] = [];
    let hasComma = false;
    this.at += 1;
    for (;;) {
      this.blanks();
      if (this.takes(close)) break;
      parts.push(element());
      this.blanks();
      if (this.takes(close)) break;
      if (!this.takes(",")) throw NOT_PYTHON;
      hasComma = true;
    }
    return { parts, hasComma };
  }

  #element(depth: number): PythonPart {
    const value = this.value(depth);
    return { start: value.start, end: value.end, value };
  }

  #list(start: number, depth: number): PythonNode {
    const { parts } = this.#inside("]", () => this.#element(depth + 1));
    return this.#node("list", start, parts, listOf(parts));
  }

  /** A tuple; one value in parentheses is that value. */
  #parens(start: number, depth: number): PythonNode {
    const { parts, hasComma } = this.#inside(")", () => this.#element(depth + 1));
    const [only] = parts;
    if (only !== undefined && !hasComma) return { ...only.value, start, end: this.at };
    return this.#node("tuple", start, parts, listOf(parts));
  }

  /** A dict, or a set: what stands behind the first element tells. */
  #braces(start: number, depth: number): PythonNode {
    let entries = 0;
    const { parts } = this.#inside("}", () => {
      const first = this.#element(depth + 1);
      this.blanks();
      if (!this.takes(":")) return first;
      const key = first.value;
      if (key.kind === "list" || key.kind === "dict" || key.kind === "set") this.isLiteral = false;
      entries += 1;
      this.holdsText = true;
      this.blanks();
      const value = this.value(depth + 1);
      return { start: first.start, end: value.end, key, value };
    });
    // Where a long dict is cut short: `{'a': 1, ...}`.
    if (entries !== 0 && entries !== parts.length) this.isLiteral = false;
    if (parts.length > 0 && entries === 0) return this.#node("set", start, parts, listOf(parts));
    return this.#node("dict", start, parts, entriesOf(parts, this.text));
  }

  #angle(start: number, depth: number): PythonNode {
    this.isLiteral = false;
    const parts = angleParts(this, depth + 1);
    return this.#node("angle", start, parts, this.text.slice(start, this.at));
  }

  /** A constant, a word, or a call. */
  #named(start: number, depth: number): PythonNode {
    const name = this.#match(NAME);
    if (name === undefined) throw NOT_PYTHON;
    if (name === "set" && this.text.startsWith("()", this.at)) {
      this.at += 2;
      return this.#node("set", start, NO_PARTS, []);
    }
    const constant = CONSTANTS.get(name);
    if (constant !== undefined) return this.#leaf("scalar", start, this.at, constant);
    this.isLiteral = false;
    const next = this.text[this.at];
    if (next !== "(" && next !== "[") return this.#leaf("name", start, this.at, name);
    if (depth >= this.#mostDepth) {
      const deep = this.#deep(start);
      return next === "[" && this.text[this.at] === "(" ? this.#deep(start) : deep;
    }
    // What a generic class is of says nothing: `Page[Answer](...)`.
    if (next === "[") this.#inside("]", () => this.#element(depth + 1));
    const isCall = this.text[this.at] === "(";
    return isCall ? this.#call(start, name, depth) : this.#leaf("name", start, this.at, name);
  }

  /**
   * `name=value` in a call are fields where it makes an object, whose name opens with a capital letter. In
   * code, `plot(x, label='a')`, they are what a function is asked.
   */
  #call(start: number, name: string, depth: number): PythonNode {
    const last = name.slice(name.lastIndexOf(".") + 1);
    const isObject = /^_*[A-Z]/.test(last) || last === "namespace" || PAIRS_OF.has(last);
    const { parts } = this.#inside(")", () => {
      const part = this.keyword(depth + 1) ?? this.#element(depth + 1);
      if (!isObject) return { start: part.start, end: part.end, value: part.value };
      const isPairs = PAIRS_OF.has(last) && part.key === undefined && part.value.kind === "list";
      return isPairs ? { ...part, value: { ...part.value, parts: pairParts(part.value.parts) } } : part;
    });
    return this.#node("call", start, parts, entriesOf(parts, this.text));
  }

  /** Passes over a container without looking at what it holds. */
  #deep(start: number): PythonNode {
    this.isLiteral = false;
    this.holdsText = true;
    const [opening, closing] = this.text[start] === "<" ? ["<", ">"] : ["[({", "])}"];
    let open = 0;
    while (this.at < this.text.length) {
      const char = this.text[this.at] ?? "";
      if (char === "'" || char === '"') {
        const literal = textLiteralAt(this.text, this.at);
        if (literal === undefined) break;
        this.at = literal.end;
        continue;
      }
      this.at += 1;
      if (opening.includes(char)) open += 1;
      else if (closing.includes(char)) open -= 1;
      if (open === 0) return this.#leaf("deep", start, this.at, "");
    }
    throw NOT_PYTHON;
  }
}
