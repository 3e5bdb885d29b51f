import { describe, expect, it } from "vitest";
import { surpriseProbe } from "./surprise-probe.ts";
import { surprise } from "./surprise.ts";

describe("surpriseProbe", () => {
  it("has the published ceilings of a pivot between two certain candidates of four", () => {
    const before = { a: 1, b: 0, c: 0, d: 0 };
    const after = { a: 0, b: 1, c: 0, d: 0 };
    const readings = surpriseProbe(before, after);
    expect(readings.map(({ epsilon }) => epsilon)).toEqual([1e-4, 1e-6, 1e-8]);
    const [loose, usual, tight] = readings.map((reading) => reading.surprise);
    expect(loose).toBeCloseTo(10.5955, 4);
    expect(usual).toBeCloseTo(15.201789, 6);
    expect(tight).toBeCloseTo(19.806975, 6);
  });

  it("reads both beliefs by candidate, whatever their order", () => {
    const [reading] = surpriseProbe({ a: 0.7, b: 0.3 }, { b: 0.9, a: 0.1 }, [1e-3]);
    expect(reading!.surprise).toBe(surprise([0.7, 0.3], [0.1, 0.9], 1e-3));
  });

  it("refuses an ε of 0 or 1", () => {
    expect(() => surpriseProbe({ a: 1, b: 0 }, { a: 1, b: 0 }, [0])).toThrow("epsilon");
    expect(() => surpriseProbe({ a: 1, b: 0 }, { a: 1, b: 0 }, [1])).toThrow("epsilon");
  });
});
