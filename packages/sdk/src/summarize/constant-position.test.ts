import { describe, expect, it } from "vitest";
import { positionBaselines } from "./constant-position.ts";

describe("positionBaselines", () => {
  it("counts constants and ranks the earliest step first", () => {
    // Places 0 of 2, 2 of 3, 2 of 5: mean ranks 0/1, 2/2 and 2/4, so 0.5; hits@1 1, @2 1, @3 3.
    const { uniformRate, alwaysFirst, alwaysSecond, best, earliestFirst } = positionBaselines(
      [0, 2, 2],
      [2, 3, 5],
    );
    expect(uniformRate).toBeCloseTo((1 / 2 + 1 / 3 + 1 / 5) / 3, 15);
    expect([alwaysFirst.hits, alwaysSecond.hits]).toEqual([1, 0]);
    expect(best).toEqual({ step: 2, hits: 2, rate: 2 / 3 });
    expect(earliestFirst!.meanRank).toBeCloseTo(0.5, 15);
    expect(earliestFirst!.hits.map(({ hits }) => hits)).toEqual([1, 1, 3]);
  });

  it.each([3, 4, -1, 0.5, NaN])(
    "refuses a place that a trajectory of three steps does not have: %d",
    (place) => {
      expect(() => positionBaselines([0, place], [3, 3])).toThrow(
        expect.objectContaining({ code: "invalid_argument", message: expect.stringContaining("places[1]") }),
      );
    },
  );
});
