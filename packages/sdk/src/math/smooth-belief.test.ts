import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { smoothBelief } from "./smooth-belief.ts";
import { softmax } from "./softmax.ts";

const distribution = fc
  .array(fc.double({ min: -50, max: 0, noNaN: true }), { minLength: 1, maxLength: 10 })
  .map(softmax);
const weight = fc.double({ min: 0, max: 1, noNaN: true });

describe("smoothBelief", () => {
  it("mixes in the uniform distribution by its weight", () => {
    expect(smoothBelief([1, 0], 0.5)).toEqual([0.75, 0.25]);
    expect(smoothBelief([1, 0, 0, 0], 0)).toEqual([1, 0, 0, 0]);
    expect(smoothBelief([1, 0, 0, 0], 1)).toEqual([0.25, 0.25, 0.25, 0.25]);
  });

  it("sums to 1 and leaves nothing below ε / K", () => {
    fc.assert(
      fc.property(distribution, weight, (p, epsilon) => {
        const smoothed = smoothBelief(p, epsilon);
        expect(smoothed.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 12);
        for (const value of smoothed) expect(value).toBeGreaterThanOrEqual(epsilon / p.length);
      }),
    );
  });
});
