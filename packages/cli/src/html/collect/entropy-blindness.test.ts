import { describe, expect, it } from "vitest";
import { entropyBlindness, pivotCode } from "./entropy-blindness.ts";
import { createStepPoints } from "./step-points.ts";
import { commonCeiling, surpriseCeiling } from "./surprise-ceiling.ts";

describe("entropyBlindness", () => {
  it("counts pivots that surprise shows and entropy movement does not, by kind", () => {
    const columns = createStepPoints();
    const push = (surprise: number, entropyMovement: number, pivot: Parameters<typeof pivotCode>[0]) =>
      columns.push({ surprise, entropyMovement, marginGain: 0, pivot: pivotCode(pivot) });
    push(15, 0, "target_directed");
    push(15, 0.01, "destructive");
    push(15, 0, "destructive");
    push(15, 0, "between_others");
    push(15, 0.9, "destructive"); // entropy shows it
    push(0.5, 0, "destructive"); // belief hardly moved
    push(15, 0, "none");
    push(15, 0, "tied");
    expect(entropyBlindness(columns.points())).toEqual({
      pivots: 6,
      missed: 4,
      toTarget: 1,
      fromTarget: 2,
      betweenOthers: 1,
      untargeted: 0,
    });
  });

  it("keeps its columns over many steps", () => {
    const columns = createStepPoints();
    for (let i = 0; i < 5000; i++)
      columns.push({ surprise: i, entropyMovement: 0, marginGain: NaN, pivot: 4 });
    const points = columns.points();
    expect([points.length, points.surprise[4999], points.pivot[0]]).toEqual([5000, 4999, 4]);
    expect(entropyBlindness(points).untargeted).toBe(4999);
  });
});

describe("surpriseCeiling", () => {
  it("is the surprise of one certainty turned into another", () => {
    // p = (1 − ε + ε/4, ε/4, ε/4, ε/4) against the same with the first two exchanged, ε = 1e-6.
    const [top, rest] = [1 - 1e-6 + 2.5e-7, 2.5e-7];
    const kl = top * Math.log(top / rest) + rest * Math.log(rest / top);
    expect(surpriseCeiling(4)).toBeCloseTo(kl, 12);
    expect(surpriseCeiling(4)).toBeCloseTo(15.2018, 4);
    expect(surpriseCeiling(1)).toBe(0);
  });

  it("is common only to tasks of one size", () => {
    expect(commonCeiling(new Map([[4, 10]]))).toBe(surpriseCeiling(4));
    expect(
      commonCeiling(
        new Map([
          [4, 10],
          [5, 1],
        ]),
      ),
    ).toBeUndefined();
    expect(commonCeiling(new Map())).toBeUndefined();
  });
});
