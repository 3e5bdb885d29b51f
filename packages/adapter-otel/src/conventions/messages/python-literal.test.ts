import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { textOf } from "./foreign-json.ts";
import { pythonLiteral } from "./python-literal.ts";

/** `repr()` of JSON values, as Python writes it. */
function repr(value: unknown): string {
  if (value === null) return "None";
  if (value === true) return "True";
  if (value === false) return "False";
  if (typeof value === "number") {
    const beyond = Number.isInteger(value) && !Number.isSafeInteger(value);
    return Object.is(value, -0) ? "-0.0" : beyond ? value.toExponential() : String(value);
  }
  if (typeof value === "string") {
    const escaped = value
      .replaceAll("\\", "\\\\")
      .replaceAll("\n", "\\n")
      .replaceAll("\r", "\\r")
      .replaceAll("\t", "\\t");
    return escaped.includes("'") && !escaped.includes('"')
      ? `"${escaped}"`
      : `'${escaped.replaceAll("'", "\\'")}'`;
  }
  if (Array.isArray(value)) return `[${value.map(repr).join(", ")}]`;
  return `{${Object.entries(value as object)
    .map(([key, item]) => `${repr(key)}: ${repr(item)}`)
    .join(", ")}}`;
}

describe("pythonLiteral", () => {
  it("reads what repr() makes of any JSON", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        fc.pre(typeof value === "object" && value !== null);
        expect(pythonLiteral(repr(value))).toEqual(value);
      }),
      { numRuns: 300 },
    );
  });

  it("reads tuples, escapes, and integers beyond 2^53 by their digits", () => {
    expect(pythonLiteral("('a', 1.5e3, {'n': 15531323892744358789})")).toEqual([
      "a",
      1500,
      { n: "15531323892744358789" },
    ]);
    expect(pythonLiteral("['\\u00e9\\x41\\U0001f600', '\\d']")).toEqual(["éA😀", "\\d"]);
    expect(pythonLiteral("{}")).toEqual({});
  });

  it("refuses everything else, whatever it is", () => {
    for (const text of [
      "{'a': <Doc 1>}",
      "[1, 2",
      "{'a'}",
      "f('x')",
      "['\\uZZZZ']",
      "[1] x",
      "{[1]: 2}",
      `${"[".repeat(200)}${"]".repeat(200)}`,
    ]) {
      expect(pythonLiteral(text)).toBeUndefined();
    }
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), (text) => void pythonLiteral(text)),
      { numRuns: 500 },
    );
  });

  it("makes keys of a repr visible to the rules that go by names", () => {
    expect(textOf("{'query': 'x', 'gold_answer': 'y'}")).toBe('{"query":"x","gold_answer":"y"}');
    expect(textOf('{"a": 1}')).toBe('{"a": 1}');
    expect(textOf("{not one}")).toBe("{not one}");
  });
});
