import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonValue } from "../../schema/index.ts";
import { PatchedDocument } from "./json-patch.ts";

const patched = (root: JsonValue, ...changes: unknown[]) => {
  const document = new PatchedDocument(root);
  return { fits: document.apply(changes), value: document.value };
};

describe("PatchedDocument", () => {
  it.each<[string, JsonValue, unknown, JsonValue]>([
    ["adds a field", { a: 1 }, { op: "add", path: "/b", value: 2 }, { a: 1, b: 2 }],
    ["adds over a field", { a: 1 }, { op: "add", path: "/a", value: 2 }, { a: 2 }],
    ["inserts into a list", [1, 3], { op: "add", path: "/1", value: 2 }, [1, 2, 3]],
    ["adds at the end of a list", [1], { op: "add", path: "/-", value: 2 }, [1, 2]],
    ["replaces", { a: [1, 2] }, { op: "replace", path: "/a/1", value: 9, replaced: 2 }, { a: [1, 9] }],
    ["replaces all", [1], { op: "replace", path: "", value: { a: 1 } }, { a: 1 }],
    ["removes", { a: [1, 2], b: 1 }, { op: "remove", path: "/a/0" }, { a: [2], b: 1 }],
    ["moves", { a: 1, b: {} }, { op: "move", from: "/a", path: "/b/c" }, { b: { c: 1 } }],
    ["copies", { a: [1], b: {} }, { op: "copy", from: "/a", path: "/b/c" }, { a: [1], b: { c: [1] } }],
    [
      "reads escaped names",
      { "a/b": 1, "c~d": 2 },
      { op: "replace", path: "/a~1b", value: 3 },
      { "a/b": 3, "c~d": 2 },
    ],
    ["takes a missing value for null", {}, { op: "add", path: "/a" }, { a: null }],
    ["finds what a test names", { a: 1 }, { op: "test", path: "/a", value: 1 }, { a: 1 }],
  ])("%s", (_, root, change, value) => {
    expect(patched(root, change)).toEqual({ fits: true, value });
  });

  it.each<[string, JsonValue, unknown]>([
    ["replace of what is not there", {}, { op: "replace", path: "/a", value: 1 }],
    ["remove of what is not there", {}, { op: "remove", path: "/a" }],
    ["a place beyond a list", [1], { op: "add", path: "/2", value: 1 }],
    ["a name in a list", [1], { op: "add", path: "/a", value: 1 }],
    ["a place with a leading zero", [1, 2], { op: "remove", path: "/01" }],
    ["a way through a number", { a: 1 }, { op: "add", path: "/a/b", value: 1 }],
    ["an inherited name", {}, { op: "remove", path: "/constructor" }],
    ["a prototype", {}, { op: "add", path: "/__proto__/x", value: 1 }],
    ["a path without a slash", {}, { op: "add", path: "a", value: 1 }],
    ["another operation", {}, { op: "merge", path: "/a", value: 1 }],
    ["no operation", {}, 7],
    ["remove of all", {}, { op: "remove", path: "" }],
  ])("does not fit: %s", (_, root, change) => {
    expect(patched(root, change)).toEqual({ fits: false, value: undefined });
    expect(Object.prototype).not.toHaveProperty("x");
  });

  it("never changes what it was given, nor two places together", () => {
    const root = { a: { list: [1] }, b: null };
    const document = new PatchedDocument(root);
    const added = { deep: [1] };
    document.apply([
      { op: "add", path: "/a/list/-", value: 2 },
      { op: "copy", from: "/a", path: "/b" },
      { op: "add", path: "/a/list/-", value: 3 },
      { op: "add", path: "/c", value: added },
      { op: "add", path: "/c/deep/-", value: 2 },
    ]);
    expect(root).toEqual({ a: { list: [1] }, b: null });
    expect(added).toEqual({ deep: [1] });
    expect(document.value).toEqual({ a: { list: [1, 2, 3] }, b: { list: [1, 2] }, c: { deep: [1, 2] } });
  });

  it("stays unknown after a change that did not fit", () => {
    const document = new PatchedDocument({});
    expect(document.apply([{ op: "remove", path: "/a" }])).toBe(false);
    expect(document.apply([{ op: "add", path: "/a", value: 1 }])).toBe(false);
    expect(document.apply("changes")).toBe(false);
  });

  it("rebuilds any object from nothing, field by field, and takes it apart again", () => {
    const field = fc.tuple(
      fc.string().filter((key) => key !== "__proto__"),
      fc.jsonValue() as fc.Arbitrary<JsonValue>,
    );
    fc.assert(
      fc.property(fc.array(field), (fields) => {
        const target = Object.fromEntries(fields);
        const path = (key: string) => `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
        const document = new PatchedDocument({});
        for (const [key, value] of Object.entries(target)) {
          expect(document.apply([{ op: "add", path: path(key), value }])).toBe(true);
        }
        expect(document.value).toEqual(target);
        expect(document.apply(Object.keys(target).map((key) => ({ op: "remove", path: path(key) })))).toBe(
          true,
        );
        expect(document.value).toEqual({});
      }),
    );
  });

  it("gives up on changes that only move things about", () => {
    const document = new PatchedDocument(Array.from({ length: 100_000 }, () => 0));
    const churn = Array.from({ length: 10_000 }, () => ({ op: "add", path: "/0", value: 1 }));
    expect(document.apply(churn)).toBe(false);
  });
});
