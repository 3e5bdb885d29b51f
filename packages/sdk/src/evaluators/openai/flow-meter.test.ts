import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createFlowMeter } from "./flow-meter.ts";

/** Times at which units go through when somebody takes one whenever it can, with pauses. */
function takeAll(perMinute: number, count: number, pauses: readonly number[], pace = 1): number[] {
  const meter = createFlowMeter(perMinute, () => pace);
  const times: number[] = [];
  let now = 0;
  for (let i = 0; i < count; i++) {
    now += pauses[i % Math.max(1, pauses.length)] ?? 0;
    now += meter.waitFor(1, now);
    meter.take(1);
    times.push(now);
  }
  return times;
}

describe("createFlowMeter", () => {
  it("never lets more through in any minute than it may", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 500 }),
        fc.array(fc.integer({ min: 0, max: 5000 }), { maxLength: 10 }),
        (perMinute, pauses) => {
          const times = takeAll(perMinute, perMinute * 2 + 5, pauses);
          return times.every((start, i) => {
            // Half-open minutes; rounding of the refill gets a thousandth of a ms.
            const inMinute = times.slice(i).filter((time) => time < start + 60_000 - 1e-3).length;
            return inMinute <= perMinute;
          });
        },
      ),
      { numRuns: 60 },
    );
  });

  it("comes within 2 % of it when there is always somebody waiting", () => {
    for (const perMinute of [1, 7, 60, 600, 6000]) {
      const count = perMinute * 3;
      const minutes = takeAll(perMinute, count + 1, [])[count]! / 60_000;
      expect(count / minutes / perMinute).toBeGreaterThan(0.98);
    }
  });

  it("lets at most a second's worth through at once, after however long a rest", () => {
    const meter = createFlowMeter(600, () => 1);
    meter.waitFor(1, 0);
    expect(meter.waitFor(1, 3_600_000)).toBe(0);
    for (let i = 0; i < 10; i++) meter.take(1);
    expect(meter.waitFor(1, 3_600_000)).toBeGreaterThan(90);
  });

  it("goes at half the rate at half the pace", () => {
    const full = takeAll(60, 31, []).at(-1)!;
    expect(takeAll(60, 31, [], 0.5).at(-1)! / full).toBeCloseTo(2, 6);
  });

  it("more than the bucket holds goes through when it is full, and is paid off after", () => {
    const meter = createFlowMeter(6000, () => 1); // 100 at once, about 100 a second
    expect(meter.waitFor(500, 0)).toBe(0);
    meter.take(500);
    // From -400 up to 1: 401 units at 5901 a minute.
    expect(meter.waitFor(1, 0)).toBeCloseTo((401 / 5901) * 60_000, 6);
    // It had been 300 really: 200 come back.
    meter.correct(-200);
    expect(meter.waitFor(1, 0)).toBeCloseTo((201 / 5901) * 60_000, 6);
  });
});
