import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonValue } from "../schema/index.ts";
import { readPythonLiteral } from "./read-python.ts";

/** What Python prints for a text, written without the house's own writer. */
function reprText(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const escaped = Array.from(text, (sign) => {
    if (sign === quote || sign === "\\") return `\\${sign}`;
    if (sign === "\n") return "\\n";
    const point = sign.codePointAt(0)!;
    if (point < 32 || point === 127) return `\\x${point.toString(16).padStart(2, "0")}`;
    return sign;
  });
  return `${quote}${escaped.join("")}${quote}`;
}

function repr(value: JsonValue): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "string") return reprText(value);
  if (typeof value === "number") {
    // A float of this size; a whole number of this size becomes a text.
    const digits = String(value);
    return !Number.isInteger(value) || Number.isSafeInteger(value) || digits.includes("e")
      ? digits
      : `${digits}.0`;
  }
  if (Array.isArray(value)) return `[${value.map(repr).join(", ")}]`;
  return `{${Object.entries(value)
    .map(([key, inner]) => `${reprText(key)}: ${repr(inner)}`)
    .join(", ")}}`;
}

const value = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<JsonValue>;

describe("readPythonLiteral", () => {
  it("reads back what Python prints for lists and dicts of plain values", () => {
    fc.assert(
      fc.property(fc.array(value), (items) => {
        // -0 prints as 0 here and in JSON
        const plain = JSON.parse(JSON.stringify(items)) as JsonValue[];
        expect(readPythonLiteral(repr(plain))).toEqual(plain);
      }),
      { numRuns: 300 },
    );
  });

  it.each<[string, unknown]>([
    ["{'query': 'example'}", { query: "example" }],
    [" {'a': 1}\n", { a: 1 }],
    [`{'a': "it's", "b": 'say "x"',}`, { a: "it's", b: 'say "x"' }],
    ["('x', 1.5, -2e3, (True,), ())", ["x", 1.5, -2000, [true], []]],
    ["[(1)]", [1]],
    ["{1: None, (1, 2): b'raw', True: u'\\u00e9'}", { "1": null, "[1,2]": "raw", true: "é" }],
    ["{None: 1, 1.5: 2, b'k': 3}", { null: 1, "1.5": 2, k: 3 }],
    ["{(1, (2, '\"')): 1}", { "(1, (2, '\"'))": 1 }],
    ["{'a', 'b'}", ["a", "b"]],
    ["{}", {}],
    ["set()", []],
    ["['\\x41\\U0001F600\\'\\\\']", ["A😀'\\"]],
    ["['\\101\\0\\d\\ud83d\\ude00']", ["A\0\\d😀"]],
    ["['''a'b''', \"\"\"c\nd\"\"\", r'\\d', 'e' 'f'\n  'g']", ["a'b", "c\nd", "\\d", "efg"]],
    ["[b'\\xc3\\xa9', b'\\xff']", ["é", "ÿ"]],
    [
      "[9007199254740993, 12, 10L, 1_000, 0xff, -0b11, 0o17]",
      ["9007199254740993", 12, 10, 1000, 255, -3, 15],
    ],
    ["[inf, -inf, nan, 1e999, 1.5e-3, .5, 5.]", ["Infinity", "-Infinity", "NaN", "1e999", 0.0015, 0.5, 5]],
    ["[2j, (1+2j), (nan+infj), -1.5J]", ["2j", "1+2j", "nan+infj", "-1.5J"]],
  ])("reads %s", (text, expected) => {
    expect(readPythonLiteral(text)).toEqual(expected);
  });

  it.each([
    "[HumanMessage(content='x')]",
    "<object at 0x1>",
    "{'a': <Doc 1>}",
    "{'a': nothing}",
    "{a: 1}",
    "{'a': 1, ...}",
    "['x'",
    "[1 2]",
    "{'a', 'b': 1}",
    "{[1]: 2}",
    "[1]]",
    "[1] x",
    "f('x')",
    "'text'",
    "b'text'",
    "12",
    "a='x' b=1",
    "['\\U99999999']",
    "['\\uZZZZ']",
    "['\\N{DEGREE SIGN}']",
    "[0x_, 1]",
    "[2024-01-01]",
    `${"[".repeat(65)}${"]".repeat(65)}`,
    "",
  ])("takes %j for no literal", (text) => {
    expect(readPythonLiteral(text)).toBeUndefined();
  });

  it("reads 64 levels", () => {
    expect(JSON.stringify(readPythonLiteral(`${"[".repeat(64)}${"]".repeat(64)}`))).toBe(
      `${"[".repeat(64)}${"]".repeat(64)}`,
    );
  });

  it("keeps a key named __proto__ a key", () => {
    const read = readPythonLiteral("{'__proto__': {'x': 1}}") as object;
    expect(Object.keys(read)).toEqual(["__proto__"]);
    expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
  });

  it("never throws", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[[{('A][\]{}()<>=':,"\\x0-9 a-z]*$/), (text) => {
        const read = readPythonLiteral(text);
        expect(read === undefined || typeof read === "object").toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it("ends on long texts, whole and torn", () => {
    expect(readPythonLiteral(`['${"\\n".repeat(200_000)}']`)).toEqual(["\n".repeat(200_000)]);
    const pieces = [
      "{'a': ",
      "[",
      "(",
      "{'",
      "'\\'",
      "<a b=",
      "A(",
      "a[",
      "1_x",
      "a.",
      "'",
      '"""x',
      "a='' ",
      "1+",
    ];
    for (const piece of pieces) {
      expect(readPythonLiteral(`[${piece.repeat(100_000)}`) === undefined, piece).toBe(true);
      expect(readPythonLiteral(`[${piece.repeat(100_000)}]`) === undefined, piece).toBe(true);
    }
    expect(readPythonLiteral(`[${"1_000_".repeat(50_000)}1]`)).toEqual([`${"1000".repeat(50_000)}1`]);
    expect(readPythonLiteral(`[0x${"f".repeat(100_000)}]`)).toEqual([`0x${"f".repeat(100_000)}`]);
  });
});
