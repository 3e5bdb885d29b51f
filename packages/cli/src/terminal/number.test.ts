import { describe, expect, it } from "vitest";
import { interval, percent, plain, signed } from "./number.ts";

describe("printed numbers", () => {
  it("carry a sign only where they are not zero as printed", () => {
    expect([0.0004, -0.0004, 0.0005, -2.5, 12].map(signed)).toEqual([
      "0.000",
      "0.000",
      "+0.001",
      "-2.500",
      "+12.000",
    ]);
  });

  it("are a dash where there is none, never a zero", () => {
    expect([
      signed(undefined),
      plain(undefined),
      percent(undefined),
      interval(undefined),
      interval({ low: 1 }),
    ]).toEqual(["–", "–", "–", "–", "–"]);
  });

  it("show intervals and shares", () => {
    expect([interval({ low: -1, high: 2 }), percent(0.1234)]).toEqual(["[-1.000, +2.000]", "12.3%"]);
  });
});
