import { describe, expect, it } from "vitest";
import { count, intervalNumbers, percentage, plainNumber, signedNumber } from "./number.ts";

describe("numbers", () => {
  it("round to three decimals and keep the unrounded value beside", () => {
    expect(String(plainNumber(2.69349))).toBe('<data value="2.69349">2.693</data>');
    expect(String(signedNumber(4.0333))).toBe('<data value="4.0333">+4.033</data>');
    expect(String(signedNumber(-2.3349))).toBe('<data value="-2.3349">−2.335</data>');
    expect(String(percentage(0.7013))).toBe('<data value="0.7013">70.1\u00A0%</data>');
    expect(String(count(1100))).toBe('<data value="1100">1,100</data>');
  });

  it("give no sign to what rounds to zero", () => {
    expect(String(signedNumber(0.0004))).toContain(">0.000<");
    expect(String(signedNumber(-0.0004))).toContain(">0.000<");
    expect(String(signedNumber(-0))).toContain(">0.000<");
    expect(String(signedNumber(0.0005))).toContain(">+0.001<");
  });

  it("are a dash and never 0 where there is none", () => {
    for (const absent of [plainNumber(undefined), signedNumber(undefined), percentage(undefined)]) {
      expect(String(absent)).toMatch(/>–</);
      expect(String(absent)).not.toMatch(/\d/);
    }
  });

  it("stand between brackets as an interval, in the form of their mean", () => {
    expect(String(intervalNumbers({ low: -3.395, high: -1.272 })).replace(/<[^>]*>/g, "")).toBe(
      "[−3.395, −1.272]",
    );
    expect(String(intervalNumbers({ low: 0.1, high: 0.25 }, percentage)).replace(/<[^>]*>/g, "")).toBe(
      "[10.0\u00A0%, 25.0\u00A0%]",
    );
  });
});
