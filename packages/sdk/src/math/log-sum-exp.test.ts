import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { logSumExp } from "./log-sum-exp.ts";

const values = fc.array(fc.double({ min: -500, max: 500, noNaN: true }), { minLength: 1, maxLength: 12 });

describe("logSumExp", () => {
  it.each([
    ["ln 6 = ln(1 + 2 + 3)", [0, Math.log(2), Math.log(3)], Math.log(6)],
    ["two equal terms add ln 2", [-7, -7], -7 + Math.LN2],
    ["terms too large for exp", [1000, 1000], 1000 + Math.LN2],
    ["terms too small for exp", [-1000, -1000], -1000 + Math.LN2],
    ["a term of probability zero adds nothing", [-3, -Infinity], -3],
  ])("%s", (_, terms, sum) => {
    expect(logSumExp(terms)).toBeCloseTo(sum, 12);
  });

  it("is -Infinity without terms, and when all have probability zero", () => {
    expect(logSumExp([])).toBe(-Infinity);
    expect(logSumExp([-Infinity, -Infinity])).toBe(-Infinity);
  });

  it("lies between the largest term and that plus ln n", () => {
    fc.assert(
      fc.property(values, (terms) => {
        const top = Math.max(...terms);
        const sum = logSumExp(terms);
        expect(sum).toBeGreaterThanOrEqual(top);
        expect(sum).toBeLessThanOrEqual(top + Math.log(terms.length) + 1e-12);
      }),
    );
  });

  it("moves with its terms", () => {
    fc.assert(
      fc.property(values, fc.double({ min: -1000, max: 1000, noNaN: true }), (terms, shift) => {
        expect(logSumExp(terms.map((term) => term + shift))).toBeCloseTo(logSumExp(terms) + shift, 9);
      }),
    );
  });

  it("may be taken in parts", () => {
    fc.assert(
      fc.property(values, values, (a, b) => {
        expect(logSumExp([logSumExp(a), logSumExp(b)])).toBeCloseTo(logSumExp([...a, ...b]), 10);
      }),
    );
  });
});
