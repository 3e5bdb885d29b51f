import fc from "fast-check";
import { quantileSorted } from "simple-statistics";
import { describe, expect, it } from "vitest";
import { AsvError } from "../errors/index.ts";
import { quantile } from "../math/index.ts";
import { resampleRatios } from "./resample-ratios.ts";
import { ratioColumn, trajectoryBootstrap } from "./trajectory-bootstrap.ts";

function codeOf(run: () => unknown): string | undefined {
  try {
    run();
  } catch (error) {
    return AsvError.isInstance(error) ? error.code : "another error";
  }
  return undefined;
}

describe("trajectoryBootstrap", () => {
  const sums = [3, -1, 0, 4, 2, -6, 8, 1];
  const counts = [2, 1, 3, 2, 4, 2, 3, 1];

  it("is the 2.5 % and 97.5 % quantile, type 7, of the resampled ratios", () => {
    const found = trajectoryBootstrap(sums, counts, { resamples: 1001, seed: 7 });
    const options = { units: sums.length, resamples: 1001, seed: 7 };
    const [resampled] = resampleRatios([ratioColumn(sums, counts)], options);
    // With 1,001 values, (n − 1) q falls on the values numbered 25 and 975.
    expect(found.low).toBe(resampled!.values[25]);
    expect(found.high).toBe(resampled!.values[975]);
    expect(found).toMatchObject({ level: 0.95, skippedResamples: 0 });
    expect(found).not.toHaveProperty("degenerate");
  });

  it("is pinned for the default seed", () => {
    const { low, high } = trajectoryBootstrap(sums, counts);
    const again = trajectoryBootstrap(sums, counts, { resamples: 10_000, seed: 7 });
    expect([again.low, again.high]).toEqual([low, high]);
    // −2/3 and 27/16: the ratio of small integers that stands at each end of the sorted resamples.
    expect(low).toBeCloseTo(-2 / 3, 14);
    expect(high).toBeCloseTo(27 / 16, 14);
  });

  it("is the point when all trajectories agree, and says so", () => {
    fc.assert(
      fc.property(
        fc.double({ min: -50, max: 50, noNaN: true }),
        fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 5, maxLength: 40 }),
        (gain, lengths) => {
          const totals = lengths.map((steps) => gain * steps);
          const found = trajectoryBootstrap(totals, lengths, { resamples: 20 });
          expect(found.degenerate).toBe(true);
          expect(found.low).toBe(found.high);
          expect(found.low).toBeCloseTo(gain, 10);
        },
      ),
    );
  });

  it("lies within the trajectories' own means, and moves with them", () => {
    const means = fc.array(fc.double({ min: -20, max: 20, noNaN: true }), { minLength: 5, maxLength: 20 });
    fc.assert(
      fc.property(means, (values) => {
        const ones = values.map(() => 1);
        const plain = trajectoryBootstrap(values, ones, { resamples: 50 });
        expect(plain.low).toBeGreaterThanOrEqual(Math.min(...values) - 1e-9);
        expect(plain.high).toBeLessThanOrEqual(Math.max(...values) + 1e-9);
        const raised = trajectoryBootstrap(
          values.map((value) => value + 3),
          ones,
          { resamples: 50 },
        );
        expect(raised.low).toBeCloseTo(plain.low + 3, 9);
        expect(raised.high).toBeCloseTo(plain.high + 3, 9);
      }),
    );
  });

  it("refuses fewer than five trajectories that have a value", () => {
    expect(codeOf(() => trajectoryBootstrap([1, 2, 3, 4], [1, 1, 1, 1]))).toBe("too_few_trajectories");
    expect(codeOf(() => trajectoryBootstrap([1, 2, 3, 4, 0], [1, 1, 1, 1, 0]))).toBe("too_few_trajectories");
    expect(codeOf(() => trajectoryBootstrap([1, 2, 3, 4, 5], [1, 1, 1, 1, 1]))).toBeUndefined();
  });

  it.each([
    [{ resamples: -1 }, "resamples"],
    [{ resamples: 1.5 }, "resamples"],
    [{ resamples: 0 }, "resamples"],
    [{ seed: NaN }, "seed"],
    [{ seed: 2 ** 40 }, "seed"],
  ])("refuses %o", (options, argument) => {
    expect(() => trajectoryBootstrap(sums, counts, options)).toThrow(argument);
  });

  it("refuses lists of unequal length", () => {
    expect(() => trajectoryBootstrap(sums, counts.slice(1))).toThrow(
      "counts must be one entry a trajectory (8)",
    );
  });
});

describe("quantile type 7 against simple-statistics", () => {
  it("agrees where (n − 1) q is a whole number, and at the median", () => {
    // simple-statistics takes another type between values; on them and in the middle all types agree.
    const sorted = [1, 2, 4, 8, 16];
    expect(quantile(sorted, 0.5)).toBe(quantileSorted(sorted, 0.5));
    expect(quantile([1, 2, 4, 8], 0.5)).toBe(quantileSorted([1, 2, 4, 8], 0.5));
    expect(quantile(sorted, 0)).toBe(quantileSorted(sorted, 0));
    expect(quantile(sorted, 1)).toBe(quantileSorted(sorted, 1));
    // Between values, by hand: (5 − 1) · 0.1 = 0.4 of the way from 1 to 2.
    expect(quantile(sorted, 0.1)).toBeCloseTo(1.4, 15);
  });
});
