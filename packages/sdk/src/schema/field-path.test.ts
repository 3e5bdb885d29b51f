import { describe, expect, it } from "vitest";
import { fieldPath } from "./field-path.ts";

describe("fieldPath", () => {
  it.each<[PropertyKey[], string]>([
    [[], ""],
    [["a"], "a"],
    [["steps", 3, "belief_before", "cand-1"], "steps[3].belief_before.cand-1"],
    [["a b", "", 'q"'], '["a b"][""]["q\\""]'],
    [["a", "__proto__"], "a.__proto__"],
    [["x".repeat(32)], "x".repeat(32)],
    [["x".repeat(33)], `["${"x".repeat(12)}…"]`],
  ])("%j is %s", (path, shown) => {
    expect(fieldPath(path)).toBe(shown);
  });

  it("shows both ends of a very deep path", () => {
    expect(fieldPath(Array.from({ length: 1000 }, (_, i) => i))).toBe(
      "[0][1][2][3][4]…[995][996][997][998][999]",
    );
  });
});
