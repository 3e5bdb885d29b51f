import { describe, expect, it } from "vitest";
import { gainLevel, gainScale } from "./gain-scale.ts";
import type { StepPoints } from "./step-points.ts";

const points = (gains: readonly number[]) => ({ marginGain: Float64Array.from(gains) }) as StepPoints;

describe("gainScale", () => {
  it("is strong from half of the 95th percentile of what moved", () => {
    const scale = gainScale(points([0, 0, NaN, -6, 6, 6, -6]), 1e-9);
    expect(scale).toMatchObject({ second: 1, third: 3 });
    expect([-6, -1, -0.1, 0, 0.1, 1, 6, undefined].map((gain) => gainLevel(gain, scale))).toEqual([
      "n3",
      "n2",
      "n1",
      "z",
      "p1",
      "p2",
      "p3",
      "u",
    ]);
  });

  it("calls zero what lies within the tolerance, and works where nothing moved", () => {
    const scale = gainScale(points([0, 0]), 0.01);
    expect(gainLevel(0.01, scale)).toBe("z");
    expect(gainLevel(0.02, scale)).toBe("p1");
  });
});
