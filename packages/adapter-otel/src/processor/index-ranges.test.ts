import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { IndexRanges } from "./index-ranges.ts";

describe("IndexRanges", () => {
  it("is a set: a number is new exactly once, in any order", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(40), { maxLength: 120 }), (numbers) => {
        const ranges = new IndexRanges();
        const known = new Set<number>();
        for (const number of numbers) {
          expect(ranges.has(number)).toBe(known.has(number));
          expect(ranges.add(number)).toBe(!known.has(number));
          known.add(number);
          expect(ranges.last).toBe(Math.max(...known));
        }
      }),
    );
  });

  it("starts empty", () => {
    expect(new IndexRanges().last).toBe(-1);
    expect(new IndexRanges().has(0)).toBe(false);
  });
});
