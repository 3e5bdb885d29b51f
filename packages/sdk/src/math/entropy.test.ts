import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { entropy } from "./entropy.ts";
import { softmax } from "./softmax.ts";

const distribution = fc
  .array(fc.double({ min: -50, max: 0, noNaN: true }), { minLength: 1, maxLength: 10 })
  .map(softmax);

describe("entropy", () => {
  it("is ln K for the uniform distribution and 0 for certainty", () => {
    for (const k of [1, 2, 4, 8]) expect(entropy(Array<number>(k).fill(1 / k))).toBeCloseTo(Math.log(k), 14);
    expect(entropy([0, 1, 0])).toBe(0);
    expect(entropy([])).toBe(0);
  });

  it("is 1.5 ln 2 for (1/2, 1/4, 1/4)", () => {
    expect(entropy([0.5, 0.25, 0.25])).toBeCloseTo(1.5 * Math.LN2, 15);
  });

  it("is 1.2985e-7 for one candidate at 0 and three at a floor of -20", () => {
    // With q = e^-20 / (1 + 3 e^-20): H = ln(1 + 3 e^-20) + 3 q · 20.
    const weight = Math.exp(-20);
    const derived = Math.log1p(3 * weight) + (60 * weight) / (1 + 3 * weight);
    expect(entropy(softmax([0, -20, -20, -20]))).toBeCloseTo(derived, 15);
    expect(derived).toBeCloseTo(1.2985e-7, 11);
  });

  it("lies between 0 and ln K and does not depend on order", () => {
    fc.assert(
      fc.property(distribution, (p) => {
        const nats = entropy(p);
        expect(nats).toBeGreaterThanOrEqual(-1e-15);
        expect(nats).toBeLessThanOrEqual(Math.log(p.length) + 1e-12);
        expect(entropy(p.toReversed())).toBeCloseTo(nats, 13);
      }),
    );
  });
});
