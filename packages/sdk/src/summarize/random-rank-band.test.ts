import { describe, expect, it } from "vitest";
import { randomRankBand } from "./random-rank-band.ts";

/** A trajectory of n steps without ties: doubled ranks 2, 4, …, 2n. */
const ladder = (steps: number) => ({
  steps,
  doubledRanks: Array.from({ length: steps }, (_, i) => 2 * (i + 1)),
});

describe("randomRankBand", () => {
  it("gives a far tail its own small chance, never a negative one", () => {
    // All 40 labels on the last of 10 ranks: one way in 10^40, twice for two sides.
    const band = randomRankBand(
      Array.from({ length: 40 }, () => ladder(10)),
      1,
      7,
    );
    expect(band.method).toBe("exact");
    expect(band.pValueTwoSided / 2e-40).toBeCloseTo(1, 6);
    expect(band.pValue).toBeCloseTo(1, 12);
  });

  it("puts the band's end where the share is 2.5 % exactly", () => {
    // Two trajectories of 2 and 20 steps: the sum 1 + 1 has chance 1/40, so 39/40 lie at or below 1 + 18/19.
    const band = randomRankBand([ladder(2), ladder(20)], 0.5, 7);
    expect(band.high).toBeCloseTo((1 + 18 / 19) / 2, 12);
    expect(band.low).toBe(0);
  });
});
