import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRandom, RANDOM_NAME } from "./random.ts";

const seed = fc.integer();

describe("createRandom", () => {
  // Recorded once from the generator RANDOM_NAME states; a change of any of them changes every seeded result.
  it.each<[number, number[], number[]]>([
    [7, [0, 0, 5, 9, 3, 6], [0.732212577388818, 0.3771395254799166, 0.49054328894604526]],
    [0, [7, 1, 2, 2, 5, 0], [0.40063507750541505, 0.6887295932966311, 0.8061258454838793]],
    [-1, [8, 3, 1, 4, 6, 6], [0.0010612862841998805, 0.4054065630881396, 0.9747468213567695]],
  ])("gives the recorded stream of seed %d", (start, digits, units) => {
    const random = createRandom(start);
    expect(digits.map(() => random.below(10))).toEqual(digits);
    expect(units.map(() => random.unit())).toEqual(units);
  });

  it("names the generator and the library version", () => {
    expect(RANDOM_NAME).toBe("xoroshiro128plus (pure-rand 8.4.2)");
  });

  it("gives the same stream for the same seed", () => {
    fc.assert(
      fc.property(seed, (start) => {
        const [a, b] = [createRandom(start), createRandom(start)];
        for (let i = 0; i < 10; i++) expect([a.below(1000), a.unit()]).toEqual([b.below(1000), b.unit()]);
      }),
    );
  });

  it("stays in its bounds", () => {
    fc.assert(
      fc.property(seed, fc.integer({ min: 1, max: 2 ** 31 }), (start, bound) => {
        const random = createRandom(start);
        for (let i = 0; i < 20; i++) {
          const whole = random.below(bound);
          expect(Number.isInteger(whole) && whole >= 0 && whole < bound).toBe(true);
          const unit = random.unit();
          expect(unit >= 0 && unit < 1).toBe(true);
        }
      }),
    );
  });

  it("reaches every number below a bound about equally often", () => {
    // 30,000 draws of 3 values: standard deviation √(30000 · 1/3 · 2/3) = 82, so 400 is far out.
    const random = createRandom(1);
    const hits = [0, 0, 0];
    for (let i = 0; i < 30_000; i++) hits[random.below(3)]!++;
    for (const count of hits) expect(Math.abs(count - 10_000)).toBeLessThan(400);
  });

  it("fills the unit interval evenly", () => {
    // Mean of 20,000: ½ with standard deviation √(1/12 / 20000) = 0.002.
    const random = createRandom(2);
    let sum = 0;
    for (let i = 0; i < 20_000; i++) sum += random.unit();
    expect(Math.abs(sum / 20_000 - 0.5)).toBeLessThan(0.01);
  });
});
