const LONGEST = 1_000_000;
const DEEPEST = 64;

/**
 * The value of a Python literal (`{'query': "it's", 'n': 1, 'ok': True}`): what `repr()` and `str()`
 * make of dicts, lists, tuples, texts and numbers, and many tracers write in place of JSON. Undefined
 * for everything else, such as the repr of an object. Linear in the text.
 */
export function pythonLiteral(text: string): unknown {
  if (text.length > LONGEST) return undefined;
  const reader = new LiteralReader(text);
  try {
    return reader.whole();
  } catch (error) {
    if (error === NOT_ONE) return undefined;
    throw error;
  }
}

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/;
const NOT_ONE = new Error("not a Python literal");
const WORDS: ReadonlyMap<string, unknown> = new Map([
  ["None", null],
  ["True", true],
  ["False", false],
]);
const ESCAPES: ReadonlyMap<string, string> = new Map([
  ["n", "\n"],
  ["t", "\t"],
  ["r", "\r"],
  ["\\", "\\"],
  ["'", "'"],
  ['"', '"'],
  ["\n", ""],
]);
const CLOSES: Readonly<Record<string, string>> = { "{": "}", "[": "]", "(": ")" };

class LiteralReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  whole(): unknown {
    const value = this.#value(0);
    this.#blanks();
    if (this.#at < this.#text.length) throw NOT_ONE;
    return value;
  }

  #blanks(): void {
    while (/\s/.test(this.#text[this.#at] ?? "")) this.#at += 1;
  }

  #takes(char: string): boolean {
    this.#blanks();
    if (this.#text[this.#at] !== char) return false;
    this.#at += 1;
    return true;
  }

  #value(depth: number): unknown {
    if (depth > DEEPEST) throw NOT_ONE;
    this.#blanks();
    const char = this.#text[this.#at] ?? "";
    if (char === "{") return this.#dict(depth);
    if (char === "[" || char === "(") return this.#list(char, depth);
    if (char === "'" || char === '"') return this.#string(char);
    const ahead = this.#text.slice(this.#at, this.#at + 400);
    const token = (NUMBER.exec(ahead) ?? /^[A-Za-z]+/.exec(ahead))?.[0] ?? "";
    this.#at += token.length;
    if (WORDS.has(token)) return WORDS.get(token);
    if (!NUMBER.test(token)) throw NOT_ONE;
    const number = Number(token);
    // An integer beyond 2^53 keeps its digits as a text, and so does what no double can hold.
    return Number.isSafeInteger(number) || (/[.eE]/.test(token) && Number.isFinite(number)) ? number : token;
  }

  #dict(depth: number): unknown {
    this.#at += 1;
    const entries: [string, unknown][] = [];
    while (!this.#takes("}")) {
      const key = this.#value(depth + 1);
      if (typeof key === "object" || !this.#takes(":")) throw NOT_ONE;
      entries.push([String(key as string | number), this.#value(depth + 1)]);
      if (this.#takes(",")) continue;
      if (!this.#takes("}")) throw NOT_ONE;
      break;
    }
    return Object.fromEntries(entries);
  }

  #list(open: string, depth: number): unknown {
    this.#at += 1;
    const close = CLOSES[open]!;
    const items: unknown[] = [];
    while (!this.#takes(close)) {
      items.push(this.#value(depth + 1));
      if (this.#takes(",")) continue;
      if (!this.#takes(close)) throw NOT_ONE;
      break;
    }
    return items;
  }

  #string(quote: string): string {
    let value = "";
    let from = (this.#at += 1);
    for (;;) {
      const char = this.#text[this.#at];
      if (char === undefined) throw NOT_ONE;
      if (char === quote) break;
      if (char === "\\") {
        value += this.#text.slice(from, this.#at) + this.#escape();
        from = this.#at;
      } else this.#at += 1;
    }
    value += this.#text.slice(from, this.#at);
    this.#at += 1;
    return value;
  }

  #escape(): string {
    const char = this.#text[this.#at + 1] ?? "";
    const digits = { x: 2, u: 4, U: 8 }[char];
    if (digits !== undefined) {
      const hex = this.#text.slice(this.#at + 2, this.#at + 2 + digits);
      const code = /^[\da-fA-F]+$/.test(hex) && hex.length === digits ? Number.parseInt(hex, 16) : NaN;
      if (!(code <= 0x10_ff_ff)) throw NOT_ONE;
      this.#at += 2 + digits;
      return String.fromCodePoint(code);
    }
    this.#at += 2;
    return ESCAPES.get(char) ?? `\\${char}`;
  }
}
