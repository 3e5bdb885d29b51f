import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { rateInterval } from "./rate-interval.ts";
import { ratioColumn } from "./trajectory-bootstrap.ts";

/** Of the two-sided 95 % normal quantile. */
const Z_SQUARED = 1.959963984540054 ** 2;

const ofSteps = (events: readonly number[]) =>
  rateInterval(
    ratioColumn(
      events,
      events.map(() => 1),
    ),
  )!;
const events = (count: number, of: number) => Array.from({ length: of }, (_, i) => Number(i < count));

describe("rateInterval", () => {
  it("is Wilson's for one step a trajectory: 3 of 100 gives 1.0 % to 8.5 %", () => {
    const found = ofSteps(events(3, 100));
    // By hand: centre (0.03 + z²/200) / (1 + z²/100), half z √(0.0291/100 + z²/40,000) over the same, with n
    // one less than 100 from the unbiased variance: 0.0291 · 99/0.0291.
    expect(found.effectiveSteps).toBeCloseTo(99, 9);
    expect(found.low).toBeCloseTo(0.0102, 3);
    expect(found.high).toBeCloseTo(0.0853, 3);
    expect(found).toMatchObject({ level: 0.95, method: "wilson" });
  });

  it("is no point where nothing happened, or everything: 0 of 20 allows up to 16 %", () => {
    expect(ofSteps(events(0, 20)).low).toBe(0);
    // z² / (n + z²)
    expect(ofSteps(events(0, 20)).high).toBeCloseTo(Z_SQUARED / (20 + Z_SQUARED), 12);
    expect(ofSteps(events(20, 20)).high).toBe(1);
    expect(ofSteps(events(20, 20)).low).toBeCloseTo(20 / (20 + Z_SQUARED), 12);
  });

  it("counts steps that go together as fewer: all ten of a trajectory alike are worth one", () => {
    const sums = events(5, 20).map((event) => 10 * event);
    const together = rateInterval(
      ratioColumn(
        sums,
        Array.from({ length: 20 }, () => 10),
      ),
    )!;
    expect(together.effectiveSteps).toBeCloseTo(ofSteps(events(5, 20)).effectiveSteps, 9);
    expect(together.low).toBeCloseTo(ofSteps(events(5, 20)).low, 12);
  });

  it("takes steps that avoid each other for no more than they are", () => {
    // Exactly one event of two in every trajectory: the rate does not vary at all.
    const found = rateInterval(
      ratioColumn(
        events(10, 10),
        Array.from({ length: 10 }, () => 2),
      ),
    )!;
    expect(found.effectiveSteps).toBe(20);
  });

  it("holds the rate, stays within 0 and 1, and mirrors", () => {
    const part = fc.tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 0, max: 6 }));
    fc.assert(
      fc.property(fc.array(part, { minLength: 5, maxLength: 30 }), (parts) => {
        const counts = parts.map(([n]) => n);
        const sums = parts.map(([n, k]) => Math.min(n, k));
        const rate = sums.reduce((s, x) => s + x, 0) / counts.reduce((s, x) => s + x, 0);
        const found = rateInterval(ratioColumn(sums, counts))!;
        expect(found.low).toBeGreaterThanOrEqual(0);
        expect(found.high).toBeLessThanOrEqual(1);
        expect(rate).toBeGreaterThanOrEqual(found.low - 1e-12);
        expect(rate).toBeLessThanOrEqual(found.high + 1e-12);
        const mirrored = rateInterval(
          ratioColumn(
            sums.map((x, i) => counts[i]! - x),
            counts,
          ),
        )!;
        expect(mirrored.low).toBeCloseTo(1 - found.high, 9);
      }),
    );
  });

  it("is absent below five trajectories", () => {
    expect(rateInterval(ratioColumn([0, 1, 0, 1], [1, 1, 1, 1]))).toBeUndefined();
    expect(rateInterval(ratioColumn([], []))).toBeUndefined();
  });
});
