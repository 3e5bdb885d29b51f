import { describe, expect, it } from "vitest";
import { createRunningSum } from "./running-sum.ts";

describe("createRunningSum", () => {
  it("keeps what plain addition loses", () => {
    // Plain: (1 + 1e100) − 1e100 = 0, so the two ones vanish.
    const sum = createRunningSum();
    for (const value of [1, 1e100, 1, -1e100]) sum.add(value);
    expect(sum.total()).toBe(2);
  });

  it("adds a tenth a million times to 100000 exactly", () => {
    const sum = createRunningSum();
    for (let i = 0; i < 1_000_000; i++) sum.add(0.1);
    expect(sum.total()).toBe(100_000);
  });

  it("starts at 0", () => {
    expect(createRunningSum().total()).toBe(0);
  });
});
