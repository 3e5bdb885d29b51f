import { describe, expect, it } from "vitest";
import { diagnoseBeliefs } from "./diagnose-beliefs.ts";

describe("diagnoseBeliefs", () => {
  it("gives entropy movement and surprise, and no margins", () => {
    const found = diagnoseBeliefs({ before: [{ a: 0.5, b: 0.5 }], after: [{ a: 1, b: 0 }] });
    expect(found.entropyMovement).toBeCloseTo(Math.LN2, 15);
    // KL of (1 − ε/2, ε/2) from (½, ½) = ln 2 − H(1 − ε/2) with ε = 1e-6.
    const e = 0.5e-6;
    const expected = Math.LN2 + (1 - e) * Math.log(1 - e) + e * Math.log(e);
    expect(found.surprise).toBeCloseTo(expected, 12);
    expect(found.flags).toEqual(["no_log_scores"]);
    expect(found).not.toHaveProperty("marginGain");
    expect(found).not.toHaveProperty("layoutSpread");
  });

  it("averages beliefs over mappings before it takes surprise", () => {
    const before = [
      { a: 1, b: 0 },
      { a: 0, b: 1 },
    ];
    const after = [
      { a: 0, b: 1 },
      { a: 1, b: 0 },
    ];
    const found = diagnoseBeliefs({ before, after });
    expect(found.beliefBefore).toEqual({ a: 0.5, b: 0.5 });
    expect(found.surprise).toBe(0);
  });

  it.each([
    ["a negative probability", { a: -0.1, b: 1.1 }, "at least 0"],
    ["a sum off 1", { a: 0.5, b: 0.4 }, "sum to 1"],
    ["a value that is not finite", { a: NaN, b: 1 }, "finite"],
  ])("refuses %s", (_, belief, message) => {
    expect(() => diagnoseBeliefs({ before: [{ a: 0.5, b: 0.5 }], after: [belief] })).toThrow(message);
  });
});
