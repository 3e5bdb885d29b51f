import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { adjustTests } from "./adjusted-tests.ts";
import { benjaminiHochberg } from "./benjamini-hochberg.ts";

describe("benjaminiHochberg", () => {
  it("gives the fifteen p-values of the 1995 paper their four verdicts", () => {
    const pValues = [
      0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.324, 0.4262, 0.5719, 0.6528,
      0.759, 1,
    ];
    const adjusted = benjaminiHochberg(pValues);
    expect(adjusted.filter((value) => value <= 0.05)).toHaveLength(4);
    // 0.0095 · 15 / 4; then the least of what comes after: 0.0298 · 15 / 7 beats 0.0278 · 15 / 6.
    expect(adjusted[3]).toBeCloseTo(0.035625, 12);
    expect(adjusted[5]).toBeCloseTo((0.0298 * 15) / 7, 12);
    expect(adjusted[14]).toBe(1);
  });

  it("does not depend on the order, keeps it, and never lowers a p-value", () => {
    const pValues = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 20 });
    fc.assert(
      fc.property(pValues, (values) => {
        const adjusted = benjaminiHochberg(values);
        const back = benjaminiHochberg(values.toReversed()).toReversed();
        expect(back).toEqual(adjusted);
        values.forEach((value, i) => expect(adjusted[i]).toBeGreaterThanOrEqual(value));
        const byValue = values.map((value, i) => [value, adjusted[i]!] as const);
        byValue.sort(([a], [b]) => a - b);
        byValue.slice(1).forEach(([, value], i) => expect(value).toBeGreaterThanOrEqual(byValue[i]![1]));
      }),
    );
  });

  it("leaves a single test as it is", () => {
    expect(benjaminiHochberg([0.03])).toEqual([0.03]);
    expect(benjaminiHochberg([])).toEqual([]);
  });
});

describe("adjustTests", () => {
  it("keeps hypotheses that could not be tested out of the family", () => {
    const { family, tests } = adjustTests([0.01, undefined, 0.04, undefined]);
    expect(family).toEqual({
      pValue: "two_sided_percentile_bootstrap",
      adjustment: "benjamini_hochberg",
      level: 0.05,
      tests: 2,
    });
    expect(tests).toEqual([
      { pValue: 0.01, adjusted: 0.02, rejected: true },
      undefined,
      { pValue: 0.04, adjusted: 0.04, rejected: true },
      undefined,
    ]);
  });
});
