import fc from "fast-check";
import { expect, it } from "vitest";
import type { JsonValue } from "../schema/index.ts";
import { boundJson, cutAt } from "./bound-json.ts";

it("leaves what fits as it is", () => {
  const value = { a: ["x", 1, null, true], b: { c: "" } };
  expect(boundJson(value, 100)).toEqual(value);
});

it("cuts a long text and says how much went", () => {
  expect(boundJson({ text: "x".repeat(50) }, 20)).toEqual({ text: `${"x".repeat(12)}[CUT:38]` });
});

it("lets the elements and fields behind the limit go, and counts them", () => {
  expect(boundJson(["aaaaaaaaaa", "b", "c"], 10)).toEqual(["aaaaaaaaaa", "[CUT:2 more]"]);
  expect(boundJson({ a: "aaaaaaaaaa", b: 1, c: 2 }, 10)).toEqual({ a: "aaaaa[CUT:5]", cut: "[CUT:2 more]" });
});

it("keeps __proto__ a key", () => {
  const bounded = boundJson(JSON.parse('{"__proto__":{"x":1}}') as JsonValue, 100);
  expect(JSON.stringify(bounded)).toBe('{"__proto__":{"x":1}}');
});

it("never cuts a surrogate pair in two", () => {
  expect(cutAt("a𝄞b", 2)).toBe("a");
  expect(cutAt("a𝄞b", 3)).toBe("a𝄞");
});

it("is bounded for any JSON, whatever its shape, and does not change it", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), fc.integer({ min: 1, max: 300 }), (json, limit) => {
      const value = json as JsonValue;
      const before = JSON.stringify(value);
      const text = JSON.stringify(boundJson(value, limit));
      expect(JSON.stringify(value)).toBe(before);
      // Escapes take up to six characters for one, numbers up to 25, and every level may add a note.
      expect(text.length).toBeLessThanOrEqual(6 * limit + 300);
    }),
  );
});
