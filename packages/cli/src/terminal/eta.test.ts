import { describe, expect, it } from "vitest";
import { createEta, showSeconds } from "./eta.ts";

function at(): { eta: ReturnType<typeof createEta>; go: (ms: number) => void } {
  let now = 0;
  return { eta: createEta(() => now), go: (ms) => void (now += ms) };
}

describe("createEta", () => {
  it("goes by the speed of the last half minute, not by what a cache answered before", () => {
    const { eta, go } = at();
    eta.update(0, 10_000);
    // 9,000 at once from the cache, then ten a second.
    go(1000);
    eta.update(9000, 10_000);
    let left: number | undefined;
    for (let done = 9010; done <= 9500; done += 10) {
      go(1000);
      left = eta.update(done, 10_000);
    }
    // 500 left at ten a second.
    expect(left).toBeCloseTo(50, 0);
  });

  it("says nothing without a total, in the first second, or while nothing moves", () => {
    const { eta, go } = at();
    expect(eta.update(0, 10)).toBeUndefined();
    go(900);
    expect(eta.update(5, 10)).toBeUndefined();
    go(5000);
    expect(eta.update(5, undefined)).toBeUndefined();
    const still = at();
    still.eta.update(3, 10);
    still.go(5000);
    expect(still.eta.update(3, 10)).toBeUndefined();
  });
});

describe("showSeconds", () => {
  it.each([
    [0.2, "1 s"],
    [89, "89 s"],
    [91, "2 min"],
    [3600, "60 min"],
    [12_000, "3 h 20 min"],
  ])("%d is %s", (seconds, text) => {
    expect(showSeconds(seconds)).toBe(text);
  });
});
