import canonicalize from "canonicalize";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson } from "./canonical-json.ts";
import type { JsonValue } from "./json.ts";

describe("canonicalJson", () => {
  it.each<[JsonValue, string]>([
    [{ b: 1, a: [2, { d: null, c: "é\u2028" }] }, '{"a":[2,{"c":"é\u2028","d":null}],"b":1}'],
    [{ a: 1, b: { c: true } }, '{"a":1,"b":{"c":true}}'],
    // Engines list whole-number keys by value; the canonical order is by text.
    [{ 2: "two", 10: "ten" }, '{"10":"ten","2":"two"}'],
    [{ z: { b: 1, a: 2 }, 2: [{ b: 1, a: 2 }], 10: 0 }, '{"10":0,"2":[{"a":2,"b":1}],"z":{"a":2,"b":1}}'],
    [{ z: 1, a: { 2: 1, 3: { y: 1, x: 2 } } }, '{"a":{"2":1,"3":{"x":2,"y":1}},"z":1}'],
    // UTF-16 order puts U+1F600 (D83D…) before U+FB33.
    [{ "\uFB33": 1, "\u{1F600}": 2 }, '{"\u{1F600}":2,"\uFB33":1}'],
    // Numbers of RFC 8785, appendix B.
    [
      [1e30, 4.5, 2e-3, 1e-27, 0, -0, 333333333.3333333, 1e21],
      "[1e+30,4.5,0.002,1e-27,0,0,333333333.3333333,1e+21]",
    ],
    ["\\ud800 as text", '"\\\\ud800 as text"'],
  ])("%j", (value, text) => {
    expect(canonicalJson(value)).toBe(text);
  });

  it("is what the library makes of it", () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: "binary" }), (value) => {
        expect(canonicalJson(value as JsonValue)).toBe(canonicalize(value));
      }),
      { numRuns: 300 },
    );
  });

  it("keeps a key named __proto__ as data", () => {
    const value = JSON.parse('{"b":{"__proto__":{"y":1,"x":2}},"a":1}') as JsonValue;
    expect(canonicalJson(value)).toBe('{"a":1,"b":{"__proto__":{"x":2,"y":1}}}');
  });

  it("leaves the value as it is", () => {
    const value = { b: [{ d: 1, c: 2 }], a: 1 };
    canonicalJson(value);
    expect(JSON.stringify(value)).toBe('{"b":[{"d":1,"c":2}],"a":1}');
  });

  it("does not depend on the order of keys", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.integer()), (value) => {
        const reversed = Object.fromEntries(Object.entries(value).toReversed());
        expect(canonicalJson(reversed)).toBe(canonicalJson(value));
      }),
    );
  });

  it.each([[NaN], [[Infinity]], [{ a: "\ud800" }], [{ "\udc00": 1 }]])("refuses %j", (value) => {
    expect(() => canonicalJson(value as JsonValue)).toThrow();
  });

  it("refuses a cycle", () => {
    const cycle: Record<string, JsonValue> = {};
    cycle["a"] = cycle;
    expect(() => canonicalJson(cycle)).toThrow(/[Cc]ircular/);
  });
});
