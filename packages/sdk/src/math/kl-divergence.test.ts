import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { klDivergence } from "./kl-divergence.ts";
import { smoothBelief } from "./smooth-belief.ts";
import { softmax } from "./softmax.ts";

const pair = fc.integer({ min: 1, max: 8 }).chain((k) => {
  const scores = fc.array(fc.double({ min: -30, max: 0, noNaN: true }), { minLength: k, maxLength: k });
  return fc.tuple(scores.map(softmax), scores.map(softmax));
});

describe("klDivergence", () => {
  it("is ½ ln(4/3) from (1/2, 1/2) to (1/4, 3/4): ½ ln 2 + ½ ln(2/3)", () => {
    expect(klDivergence([0.5, 0.5], [0.25, 0.75])).toBeCloseTo(0.5 * Math.log(4 / 3), 15);
  });

  it("is the log of the ratio where p is certain, and infinite where q excludes what p allows", () => {
    expect(klDivergence([1, 0], [0.125, 0.875])).toBeCloseTo(Math.log(8), 15);
    expect(klDivergence([0.5, 0.5], [1, 0])).toBe(Infinity);
    expect(klDivergence([0, 1], [0, 1])).toBe(0);
  });

  it("is at least 0", () => {
    fc.assert(
      fc.property(pair, ([p, q]) => {
        expect(klDivergence(p, q)).toBeGreaterThanOrEqual(-1e-12);
      }),
    );
  });

  it("is 0 from a distribution to itself", () => {
    fc.assert(
      fc.property(pair, ([p]) => {
        expect(klDivergence(p, p)).toBe(0);
      }),
    );
  });

  it("is at least half the squared total distance (Pinsker)", () => {
    fc.assert(
      fc.property(pair, ([p, q]) => {
        const distance = p.reduce((sum, value, i) => sum + Math.abs(value - q[i]!), 0);
        expect(klDivergence(p, q)).toBeGreaterThanOrEqual(0.5 * distance ** 2 - 1e-12);
      }),
    );
  });

  it("between two smoothed certainties is (1 − ε) ln(1 + K (1 − ε) / ε)", () => {
    // With s = ε/K the two entries that differ are 1 − ε + s and s, so D = (1 − ε) ln((1 − ε + s) / s).
    for (const [k, epsilon, printed] of [
      [4, 1e-6, 15.201789],
      [2, 1e-6, 14.508643],
      [6, 1e-6, 15.607254],
      [4, 1e-4, 10.5955],
    ] as const) {
      const oneHot = (at: number): number[] => Array.from({ length: k }, (_, i) => (i === at ? 1 : 0));
      const divergence = klDivergence(smoothBelief(oneHot(0), epsilon), smoothBelief(oneHot(1), epsilon));
      expect(divergence).toBeCloseTo((1 - epsilon) * Math.log1p((k * (1 - epsilon)) / epsilon), 9);
      expect(divergence).toBeCloseTo(printed, 6);
    }
  });
});
