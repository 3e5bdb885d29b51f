import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { softmax } from "./softmax.ts";

const scores = fc.array(fc.double({ min: -600, max: 600, noNaN: true }), { minLength: 1, maxLength: 12 });

describe("softmax", () => {
  it("is 1/4 and 3/4 for 0 and ln 3: weights 1 and 3 over 4", () => {
    const [low, high] = softmax([0, Math.log(3)]);
    expect(low).toBeCloseTo(0.25, 15);
    expect(high).toBeCloseTo(0.75, 15);
  });

  it("is exactly uniform for equal scores, however far from 0", () => {
    expect(softmax([-1e6, -1e6, -1e6, -1e6])).toEqual([0.25, 0.25, 0.25, 0.25]);
  });

  it("neither overflows nor underflows into NaN", () => {
    expect(softmax([1e4, 0])).toEqual([1, 0]);
    expect(softmax([-1e4, -2e4])).toEqual([1, 0]);
    expect(softmax([-20, 0])[0]).toBeCloseTo(Math.exp(-20) / (1 + Math.exp(-20)), 22);
  });

  it("sums to 1 and keeps every entry between 0 and 1", () => {
    fc.assert(
      fc.property(scores, (values) => {
        const probabilities = softmax(values);
        expect(probabilities.every((p) => p >= 0 && p <= 1)).toBe(true);
        expect(probabilities.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 12);
      }),
    );
  });

  it("does not change when a constant is added to every score", () => {
    fc.assert(
      fc.property(scores, fc.double({ min: -1000, max: 1000, noNaN: true }), (values, shift) => {
        const shifted = softmax(values.map((value) => value + shift));
        softmax(values).forEach((p, i) => expect(shifted[i]).toBeCloseTo(p, 10));
      }),
    );
  });

  it("permutes with its input", () => {
    const shuffled = scores.chain((values) =>
      fc.tuple(
        fc.constant(values),
        fc.shuffledSubarray(
          values.map((_, i) => i),
          { minLength: values.length },
        ),
      ),
    );
    fc.assert(
      fc.property(shuffled, ([values, order]) => {
        const straight = softmax(values);
        const permuted = softmax(order.map((i) => values[i]!));
        order.forEach((from, to) => expect(permuted[to]).toBeCloseTo(straight[from]!, 14));
      }),
    );
  });

  it("keeps the order of the scores", () => {
    fc.assert(
      fc.property(scores, (values) => {
        const probabilities = softmax(values);
        for (let i = 1; i < values.length; i++) {
          const rise = Math.sign(values[i]! - values[i - 1]!);
          expect(rise * (probabilities[i]! - probabilities[i - 1]!)).toBeGreaterThanOrEqual(0);
        }
      }),
    );
  });
});
