import { describe, expect, it } from "vitest";
import { resampleRatios, type RatioColumn } from "./resample-ratios.ts";

function column(units: number[], sums: number[], counts: number[]): RatioColumn {
  return {
    units: Uint32Array.from(units),
    sums: Float64Array.from(sums),
    counts: Float64Array.from(counts),
  };
}

describe("resampleRatios", () => {
  it("is the same for the same seed and another for another", () => {
    const columns = [column([0, 1, 2], [1, 2, 6], [1, 1, 2])];
    const [first] = resampleRatios(columns, { units: 3, resamples: 50, seed: 7 });
    const [again] = resampleRatios(columns, { units: 3, resamples: 50, seed: 7 });
    const [other] = resampleRatios(columns, { units: 3, resamples: 50, seed: 8 });
    expect([...first!.values]).toEqual([...again!.values]);
    expect([...first!.values]).not.toEqual([...other!.values]);
  });

  it("takes all columns from the same draws: twice a column gives twice its values", () => {
    const one = column([0, 1, 2, 3], [1, -2, 3, 5], [1, 2, 3, 1]);
    const twice = column([0, 1, 2, 3], [2, -4, 6, 10], [1, 2, 3, 1]);
    const [a, b] = resampleRatios([one, twice], { units: 4, resamples: 200, seed: 1 });
    expect([...b!.values]).toEqual(Array.from(a!.values, (value) => 2 * value));
  });

  it("gives a sparse column the values of a dense one that is zero elsewhere", () => {
    const dense = column([0, 1, 2, 3, 4], [0, 4, 0, 6, 1], [0, 2, 0, 1, 1]);
    const sparse = column([1, 3, 4], [4, 6, 1], [2, 1, 1]);
    const [a, b] = resampleRatios([dense, sparse], { units: 5, resamples: 500, seed: 3 });
    expect([...b!.values]).toEqual([...a!.values]);
    expect(b!.skipped).toBe(a!.skipped);
  });

  it("skips and counts resamples without any of the column", () => {
    // One unit of two: a draw of two units misses it with chance ¼.
    const [rare] = resampleRatios([column([0], [3], [1])], { units: 2, resamples: 4000, seed: 5 });
    expect(rare!.skipped + rare!.values.length).toBe(4000);
    expect(rare!.skipped / 4000).toBeGreaterThan(0.22);
    expect(rare!.skipped / 4000).toBeLessThan(0.28);
    expect(new Set(rare!.values)).toEqual(new Set([3]));
  });

  it("has the spread that theory gives: variance of the mean is the population variance over n", () => {
    // Units 0…9, variance 8.25; the mean of 10 draws has variance 0.825.
    const values = Array.from({ length: 10 }, (_, i) => i);
    const [means] = resampleRatios(
      [
        column(
          values,
          values,
          values.map(() => 1),
        ),
      ],
      {
        units: 10,
        resamples: 20_000,
        seed: 11,
      },
    );
    const mean = means!.values.reduce((sum, value) => sum + value, 0) / 20_000;
    const variance = means!.values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / 20_000;
    expect(mean).toBeCloseTo(4.5, 1);
    expect(variance).toBeGreaterThan(0.79);
    expect(variance).toBeLessThan(0.86);
  });
});
