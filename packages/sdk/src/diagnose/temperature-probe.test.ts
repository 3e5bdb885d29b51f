import { describe, expect, it } from "vitest";
import { temperatureProbe } from "./temperature-probe.ts";

describe("temperatureProbe", () => {
  it("is the plain reading at τ = 1 and flattens towards uniform as τ grows", () => {
    const readings = temperatureProbe([{ a: 0, b: -1 }], [{ a: 0, b: -10 }]);
    expect(readings.map(({ tau }) => tau)).toEqual([1, 2, 5, 10]);
    // Two candidates: the top probability is 1 / (1 + exp(−gap / τ)).
    for (const { tau, topBefore, topAfter } of readings) {
      expect(topBefore).toBeCloseTo(1 / (1 + Math.exp(-1 / tau)), 14);
      expect(topAfter).toBeCloseTo(1 / (1 + Math.exp(-10 / tau)), 14);
    }
  });

  it("brings out movement that near-one-hot beliefs hide", () => {
    const [native, , cooled] = temperatureProbe([{ a: 0, b: -20, c: -20 }], [{ a: 0, b: -15, c: -15 }]);
    expect(Math.abs(native!.entropyMovement)).toBeLessThan(1e-4);
    expect(cooled!.entropyMovement).toBeLessThan(-0.1);
  });

  it.each([0, 9e-7, -1, Infinity, NaN])("refuses τ = %s", (tau) => {
    expect(() => temperatureProbe([{ a: 0, b: 1 }], [{ a: 0, b: 1 }], [tau])).toThrow("temperatures");
  });
});
