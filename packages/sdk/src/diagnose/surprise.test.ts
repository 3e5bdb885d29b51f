import { describe, expect, it } from "vitest";
import { belief } from "./belief.ts";
import { surprise } from "./surprise.ts";

describe("surprise", () => {
  it("is 15.2018 nats from one certain candidate of four to another", () => {
    // Smoothed: s = 1 − ε + ε/4 on the certain one, e = ε/4 on the others; S = (s − e) ln(s / e).
    const s = 1 - 1e-6 + 0.25e-6;
    const e = 0.25e-6;
    const found = surprise([1, 0, 0, 0], [0, 1, 0, 0]);
    expect(found).toBeCloseTo((s - e) * Math.log(s / e), 12);
    expect(found).toBeCloseTo(15.2018, 4);
  });

  it("is the paper's maximum, 15.194, when the other labels stand at the floor −20", () => {
    const from = belief([0, -20, -20, -20]);
    const to = belief([-20, 0, -20, -20]);
    expect(surprise(from, to)).toBeCloseTo(15.1936, 4);
  });

  it.each([
    [2, 14.508643, 14.504529],
    [3, 14.914107, 14.907943],
    [5, 15.424932, 15.414679],
    [6, 15.607254, 15.594962],
  ])("has the known largest values for K = %i", (k, oneHot, floored) => {
    const state = (winner: number, rest: number) =>
      belief(Array.from({ length: k }, (_, c) => (c === winner ? 0 : rest)));
    expect(surprise(state(0, -2000), state(1, -2000))).toBeCloseTo(oneHot, 6);
    expect(surprise(state(0, -20), state(1, -20))).toBeCloseTo(floored, 6);
  });

  it("grows as less is mixed in", () => {
    const from = [1, 0, 0, 0];
    const to = [0, 1, 0, 0];
    expect(surprise(from, to, 1e-4)).toBeCloseTo(10.5955, 6);
    expect(surprise(from, to, 1e-8)).toBeCloseTo(19.806975, 6);
  });

  it("is exactly 0 without a change", () => {
    expect(surprise([0.1, 0.2, 0.7], [0.1, 0.2, 0.7])).toBe(0);
  });
});
