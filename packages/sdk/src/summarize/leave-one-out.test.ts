import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { leaveOneOut } from "./leave-one-out.ts";

describe("leaveOneOut", () => {
  it("names the trajectories whose absence gives the extremes", () => {
    const found = leaveOneOut([-3, 9, 0], [1, 2, 1], ["a", "b", "c"]);
    // Without a: 9 / 3 = 3. Without b: −3 / 2 = −1.5. Without c: 6 / 3 = 2.
    expect(found).toEqual({ min: -1.5, max: 3, minWithout: "b", maxWithout: "a", signStable: false });
  });

  it("is sign-stable when every mean stays strictly on its side of zero", () => {
    expect(leaveOneOut([1, 2, 3], [1, 1, 1], ["a", "b", "c"])!.signStable).toBe(true);
    expect(leaveOneOut([-1, -2], [1, 1], ["a", "b"])!.signStable).toBe(true);
    expect(leaveOneOut([0, 5], [1, 1], ["a", "b"])!.signStable).toBe(false);
    expect(leaveOneOut([0, 0], [1, 1], ["a", "b"])!.signStable).toBe(false);
  });

  it("needs two trajectories", () => {
    expect(leaveOneOut([1], [1], ["a"])).toBeUndefined();
    expect(leaveOneOut([], [], [])).toBeUndefined();
  });

  it("agrees with leaving each one out by hand", () => {
    const part = fc.record({
      sum: fc.double({ min: -50, max: 50, noNaN: true }),
      count: fc.integer({ min: 1, max: 9 }),
    });
    fc.assert(
      fc.property(fc.array(part, { minLength: 2, maxLength: 12 }), (parts) => {
        const means = parts.map((_, out) => {
          const rest = parts.filter((__, i) => i !== out);
          const total = rest.reduce((sum, { sum: s }) => sum + s, 0);
          return total / rest.reduce((sum, { count }) => sum + count, 0);
        });
        const found = leaveOneOut(
          parts.map(({ sum }) => sum),
          parts.map(({ count }) => count),
          parts.map((_, i) => String(i)),
        )!;
        expect(found.min).toBeCloseTo(Math.min(...means), 9);
        expect(found.max).toBeCloseTo(Math.max(...means), 9);
        expect(means[Number(found.minWithout)]).toBeCloseTo(found.min, 9);
      }),
    );
  });
});
