import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fsum } from "./fsum.ts";

/** Every double is a whole number of these: the least positive one is 2^-1074. */
const UNIT = 1074n;

/** A finite double as a whole number of 2^-1074, exactly. */
function exact(value: number): bigint {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, value);
  const raw = bits.getBigUint64(0);
  const exponent = (raw >> 52n) & 0x7ffn;
  const fraction = raw & 0xfffffffffffffn;
  const size = exponent === 0n ? fraction : (fraction | (1n << 52n)) << (exponent - 1n);
  return raw >> 63n === 0n ? size : -size;
}

/** The double nearest to a whole number of 2^-1074, ties to even. */
function nearest(units: bigint): number {
  const size = units < 0n ? -units : units;
  const surplus = Math.max(0, size.toString(2).length - 64);
  // The lowest bit stands for all that is cut off, so that no tie is made where there is none.
  const cut = size & ((1n << BigInt(surplus)) - 1n);
  const top = (size >> BigInt(surplus)) | (cut === 0n ? 0n : 1n);
  const rounded = Number(top) * 2 ** (surplus - Number(UNIT));
  return units < 0n ? -rounded : rounded;
}

const doubles = fc.array(fc.double({ min: -1e290, max: 1e290, noNaN: true }), { maxLength: 40 });
const cancelling = doubles.map((values) => [...values, ...values.map((value) => -value * (1 + 2 ** -52))]);

describe("fsum", () => {
  it.each<[string, number[], number]>([
    ["nothing", [], 0],
    ["ten tenths, where plain addition gives 0.9999999999999999", Array<number>(10).fill(0.1), 1],
    ["a small term between two that cancel", [1e100, 1, -1e100], 1],
    ["small terms that only count together", [1, ...Array<number>(8).fill(2 ** -55)], 1 + 2 ** -52],
    ["a tie, to even", [1, 2 ** -53], 1],
    ["a tie broken by what lies far below", [1, 2 ** -53, 2 ** -106], 1 + 2 ** -52],
    ["the same below zero", [-1, -(2 ** -53), -(2 ** -106)], -1 - 2 ** -52],
    ["the least doubles", [5e-324, 5e-324, -5e-324], 5e-324],
  ])("adds %s", (_, values, sum) => {
    expect(fsum(values)).toBe(sum);
  });

  it("is the exact sum rounded once", () => {
    fc.assert(
      fc.property(fc.oneof(doubles, cancelling), (values) => {
        const sum = values.reduce((total, value) => total + exact(value), 0n);
        expect(fsum(values) + 0).toBe(nearest(sum) + 0);
      }),
      { numRuns: 500 },
    );
  });

  it("does not depend on order", () => {
    const shuffled = doubles.chain((values) =>
      fc.tuple(fc.constant(values), fc.shuffledSubarray(values, { minLength: values.length })),
    );
    fc.assert(
      fc.property(shuffled, ([values, other]) => {
        expect(fsum(other) + 0).toBe(fsum(values) + 0);
      }),
    );
  });

  it("takes any iterable", () => {
    expect(fsum(new Set([0.25, 0.5]))).toBe(0.75);
  });
});
