import { describe, expect, it } from "vitest";
import { showValue } from "./show-value.ts";

describe("showValue", () => {
  it.each<[unknown, string]>([
    ["cand-1", '"cand-1" (string of 6)'],
    ["x".repeat(24), `"${"x".repeat(24)}" (string of 24)`],
    ["x".repeat(25), `"${"x".repeat(12)}…" (string of 25)`],
    ['a "b"\n', '"a \\"b\\"\\n" (string of 6)'],
    [{ secret: 1 }, "object with 1 keys"],
    [["secret"], "array of 1"],
    [null, "null"],
    [undefined, "undefined (undefined)"],
    [1e308, "1e+308 (number)"],
    [showValue, "function"],
  ])("%j", (value, shown) => {
    expect(showValue(value)).toBe(shown);
  });
});
