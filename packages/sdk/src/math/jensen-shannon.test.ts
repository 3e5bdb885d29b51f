import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jensenShannon } from "./jensen-shannon.ts";
import { softmax } from "./softmax.ts";

describe("jensenShannon", () => {
  it("is ln 2 between two distributions without overlap: each half is 1 · ln(1 / ½)", () => {
    expect(jensenShannon([1, 0], [0, 1])).toBeCloseTo(Math.LN2, 15);
  });

  it("is ½ ln(4/3) + ¼ ln(2/3) + ¼ ln 2 between a certain and an even coin", () => {
    // m = (¾, ¼): ½ · ln(1 / ¾) + ½ · (½ ln(½ / ¾) + ½ ln(½ / ¼)).
    const expected = 0.5 * Math.log(4 / 3) + 0.25 * Math.log(2 / 3) + 0.25 * Math.LN2;
    expect(jensenShannon([1, 0], [0.5, 0.5])).toBeCloseTo(expected, 15);
  });

  it("is symmetric and stays within 0 and ln 2", () => {
    const scores = fc.array(fc.double({ min: -30, max: 0, noNaN: true }), { minLength: 4, maxLength: 4 });
    fc.assert(
      fc.property(scores, scores, (a, b) => {
        const p = softmax(a);
        const q = softmax(b);
        const forth = jensenShannon(p, q);
        expect(forth).toBeCloseTo(jensenShannon(q, p), 12);
        expect(forth).toBeGreaterThanOrEqual(-1e-15);
        expect(forth).toBeLessThanOrEqual(Math.LN2 + 1e-12);
      }),
    );
  });
});
