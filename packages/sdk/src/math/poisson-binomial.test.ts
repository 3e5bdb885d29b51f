import fc from "fast-check";
import { binomialDistribution } from "simple-statistics";
import { describe, expect, it } from "vitest";
import { poissonBinomial } from "./poisson-binomial.ts";

describe("poissonBinomial", () => {
  it("multiplies out two unequal trials", () => {
    // chances ½ and ¼: none ½·¾ = 3/8, one ½·¾ + ½·¼ = ½, both 1/8.
    expect([...poissonBinomial([0.5, 0.25])]).toEqual([0.375, 0.5, 0.125]);
  });

  it("has one certain outcome without trials and with certain trials", () => {
    expect([...poissonBinomial([])]).toEqual([1]);
    expect([...poissonBinomial([1, 0, 1])]).toEqual([0, 0, 1, 0]);
  });

  it("is the binomial distribution for equal chances", () => {
    const expected = binomialDistribution(12, 0.3)!;
    const mass = poissonBinomial(Array.from({ length: 12 }, () => 0.3));
    expected.forEach((value, hits) => expect(mass[hits]).toBeCloseTo(value, 12));
  });

  it("sums to 1 and has the sum of the chances as its mean", () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 30 }), (chances) => {
        const mass = poissonBinomial(chances);
        const total = mass.reduce((sum, p) => sum + p, 0);
        const mean = mass.reduce((sum, p, hits) => sum + hits * p, 0);
        expect(total).toBeCloseTo(1, 12);
        expect(mean).toBeCloseTo(
          chances.reduce((sum, p) => sum + p, 0),
          9,
        );
      }),
    );
  });
});
