import { describe, expect, it } from "vitest";
import { floorInterval } from "./floor-interval.ts";

const exact = { scores: [0, -3, -4] };

describe("floorInterval", () => {
  it("is the point G when nothing that matters is floored", () => {
    // The third candidate can be at most −10, far below the competitor −3, so the margin stays 3.
    const after = { scores: [0, -3, -20], floored: [false, false, true], bound: -10 };
    expect(floorInterval([exact], [after], 0)).toEqual({ low: 0, high: 0 });
  });

  it("opens upward when every competitor is floored: none of them need have any mass", () => {
    // Before: exact margin 3. After: target 0, competitors at most −10, so the margin is at least 10.
    const after = { scores: [0, -20, -20], floored: [false, true, true], bound: -10 };
    expect(floorInterval([exact], [after], 0)).toEqual({ low: 7 });
  });

  it("opens downward when the target is floored", () => {
    // After: target at most −10 against 0, so the margin is at most −10: G ≤ −10 − 3.
    const after = { scores: [-20, 0, -4], floored: [true, false, false], bound: -10 };
    expect(floorInterval([exact], [after], 0)).toEqual({ high: -13 });
  });

  it("turns the ends round when the before-state is the floored one", () => {
    const before = { scores: [-20, 0, -4], floored: [true, false, false], bound: -10 };
    expect(floorInterval([before], [exact], 0)).toEqual({ low: 13 });
  });

  it("knows nothing when floors on both sides have no bound", () => {
    const state = { scores: [-20, 0, -20], floored: [true, false, true] };
    expect(floorInterval([state], [state], 0)).toEqual({});
  });

  it("averages the ends over the mappings", () => {
    const loose = { scores: [0, -2, -20], floored: [false, false, true], bound: -1 };
    // Margin after: the floored competitor is between −∞ and −1, so M is within [1, 2]; before 3.
    expect(floorInterval([exact, exact], [loose, exact], 0)).toEqual({ low: -1, high: -0.5 });
  });
});
