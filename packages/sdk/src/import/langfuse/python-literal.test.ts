import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonValue } from "../../schema/index.ts";
import { readPythonLiteral } from "./python-literal.ts";

/** What Python prints for a text: single quotes unless it holds some and no double ones. */
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
    );
  });

  it.each<[string, unknown]>([
    ["{'query': 'example'}", { query: "example" }],
    [`{'a': "it's", "b": 'say "x"',}`, { a: "it's", b: 'say "x"' }],
    ["('x', 1.5, -2e3, (True,), ())", ["x", 1.5, -2000, [true], []]],
    ["{1: None, (1, 2): b'raw', True: u'\\u00e9'}", { "1": null, "[1,2]": "raw", true: "é" }],
    ["{'a', 'b'}", ["a", "b"]],
    ["{}", {}],
    ["['\\x41\\U0001F600\\'\\\\']", ["A😀'\\"]],
    ["[9007199254740993, 12]", ["9007199254740993", 12]],
  ])("reads %s", (text, expected) => {
    expect(readPythonLiteral(text)).toEqual(expected);
  });

  it.each([
    "[HumanMessage(content='x')]",
    "<object at 0x1>",
    "{'a': nan}",
    "['x'",
    "[1 2]",
    "{'a' 'b'}",
    "{'a', 'b': 1}",
    "[1]]",
    "'text'",
    "['\\U99999999']",
    "[1e999]",
    `${"[".repeat(100)}${"]".repeat(100)}`,
    "",
  ])("takes %j for no literal", (text) => {
    expect(readPythonLiteral(text)).toBeUndefined();
  });

  it("keeps a key named __proto__ a key", () => {
    const read = readPythonLiteral("{'__proto__': {'x': 1}}") as object;
    expect(Object.keys(read)).toEqual(["__proto__"]);
    expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
  });

  it("never throws, and is linear in long texts", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[[{('][\]{}()':,"\\x0-9 a-z]*$/), (text) => {
        readPythonLiteral(text);
      }),
    );
    expect(readPythonLiteral(`['${"\\n".repeat(200_000)}']`)).toEqual(["\n".repeat(200_000)]);
    expect(readPythonLiteral(`[${"{'a': ".repeat(100_000)}`)).toBeUndefined();
  });
});
