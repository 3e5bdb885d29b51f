import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { diagnoseTransition } from "./diagnose-transition.ts";
import { FLOORS, floorSensitivity } from "./floor-sensitivity.ts";

const before = { a: 0, b: -3, c: -20 };
const after = { a: -20, b: 0, c: -4 };

describe("floorSensitivity", () => {
  it("moves floored scores alone", () => {
    const readings = floorSensitivity(
      { before: [before], after: [after], flooredBefore: [{ ids: ["c"] }], flooredAfter: [{ ids: ["a"] }] },
      "a",
    );
    // Before: 0 − max(−3, f) is 3 for every f below −3. After: f − 0.
    expect(readings).toEqual([
      { floor: -10, marginGain: -13 },
      { floor: -20, marginGain: -23 },
      { floor: -30, marginGain: -33 },
    ]);
    expect(FLOORS).toEqual([-10, -20, -30]);
  });

  it("puts no absent label above what it is known to have had at most", () => {
    const flooredAfter = [{ ids: ["a"], bound: -15 }];
    const readings = floorSensitivity({ before: [before], after: [after], flooredAfter }, "a", [-10, -30]);
    expect(readings).toEqual([
      { floor: -10, marginGain: -18 },
      { floor: -30, marginGain: -33 },
    ]);
  });

  it("is the margin gain itself at the floor that was used, over any number of mappings", () => {
    const score = fc.double({ min: -19, max: 0, noNaN: true });
    const state = fc.record({ a: score, b: score, c: fc.constant(-20) });
    fc.assert(
      fc.property(fc.array(fc.tuple(state, state), { minLength: 1, maxLength: 4 }), (mappings) => {
        const transition = {
          before: mappings.map(([from]) => from),
          after: mappings.map(([, to]) => to),
          flooredBefore: mappings.map(() => ({ ids: ["c"] })),
          flooredAfter: mappings.map(() => ({ ids: ["c"] })),
        };
        const [reading] = floorSensitivity(transition, "a", [-20]);
        expect(reading!.marginGain).toBe(diagnoseTransition({ ...transition, targetId: "a" }).marginGain);
      }),
    );
  });

  it.each([
    ["z", [-10], "targetId"],
    ["a", [NaN], "floors"],
    ["a", [-Infinity], "floors"],
  ])("refuses target %s with floors %j", (target, floors, argument) => {
    expect(() => floorSensitivity({ before: [before], after: [after] }, target, floors)).toThrow(argument);
  });
});
