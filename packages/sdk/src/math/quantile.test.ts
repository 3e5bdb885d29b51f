import fc from "fast-check";
import { max, median, min } from "simple-statistics";
import { describe, expect, it } from "vitest";
import { quantile } from "./quantile.ts";

const sorted = fc
  .array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 60 })
  .map((values) => values.map((value) => value + 0).sort((a, b) => a - b));
const share = fc.double({ min: 0, max: 1, noNaN: true });

describe("quantile", () => {
  // Position (n − 1) q, counted from 0, then linearly between neighbours.
  it.each<[number[], number, number]>([
    [[1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 0.25, 3.25],
    [[1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 0.75, 7.75],
    [[1, 2, 3, 4], 0.4, 2.2],
    [[10, 20], 0.025, 10.25],
    [[10, 20], 0.975, 19.75],
    [[3, 3, 3, 7], 0.5, 3],
    [[5], 0.3, 5],
  ])("of %j at %d is %d", (values, q, expected) => {
    expect(quantile(values, q)).toBeCloseTo(expected, 12);
  });

  it("reads typed arrays", () => {
    expect(quantile(Float64Array.of(1, 2, 4), 0.75)).toBe(3);
  });

  it("is simple-statistics' least, middle and greatest value, where all definitions agree", () => {
    fc.assert(
      fc.property(sorted, (values) => {
        expect(quantile(values, 0)).toBe(min(values));
        expect(quantile(values, 1)).toBe(max(values));
        expect(quantile(values, 0.5)).toBeCloseTo(median(values), 8);
      }),
    );
  });

  it("is the value itself at every position i / (n − 1)", () => {
    fc.assert(
      fc.property(sorted, (values) => {
        const last = values.length - 1;
        for (let i = 0; i < last; i++) expect(quantile(values, i / last)).toBeCloseTo(values[i]!, 5);
      }),
    );
  });

  it("never falls as q rises, and stays within the values", () => {
    fc.assert(
      fc.property(sorted, share, share, (values, a, b) => {
        const low = quantile(values, Math.min(a, b));
        const high = quantile(values, Math.max(a, b));
        expect(high).toBeGreaterThanOrEqual(low - 1e-9);
        expect(low).toBeGreaterThanOrEqual(values[0]!);
        expect(high).toBeLessThanOrEqual(values.at(-1)! + 1e-9);
      }),
    );
  });

  it("moves and scales with the values", () => {
    fc.assert(
      fc.property(sorted, share, fc.integer({ min: -100, max: 100 }), (values, q, shift) => {
        const moved = values.map((value) => 2 * value + shift);
        expect(quantile(moved, q)).toBeCloseTo(2 * quantile(values, q) + shift, 6);
      }),
    );
  });
});
