import { describe, expect, it } from "vitest";
import { bootstrapPValue } from "./bootstrap-p-value.ts";

const valuesOf = (below: number, zero: number, above: number) =>
  Float64Array.from([
    ...Array.from({ length: below }, () => -1),
    ...Array.from({ length: zero }, () => 0),
    ...Array.from({ length: above }, () => 1),
  ]);

describe("bootstrapPValue", () => {
  it("is twice the smaller tail with one added to count and total", () => {
    expect(bootstrapPValue(valuesOf(4, 0, 95))).toBe((2 * 5) / 100);
    expect(bootstrapPValue(valuesOf(95, 0, 4))).toBe((2 * 5) / 100);
  });

  it("is never 0, whatever the resamples say", () => {
    expect(bootstrapPValue(valuesOf(0, 0, 9999))).toBe(2 / 10_000);
  });

  it("counts zeros on both sides, and is at most 1", () => {
    expect(bootstrapPValue(valuesOf(0, 10, 89))).toBe((2 * 11) / 100);
    expect(bootstrapPValue(valuesOf(0, 99, 0))).toBe(1);
    expect(bootstrapPValue(valuesOf(50, 0, 49))).toBe(1);
  });
});
