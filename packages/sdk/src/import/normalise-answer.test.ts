import { describe, expect, it } from "vitest";
import { normaliseAnswer } from "./normalise-answer.ts";

describe("normaliseAnswer", () => {
  it.each([
    ["1,234,567", "1234567"],
    ["  The  Answer. ", "the answer"],
    ["“Kyoto”", "Kyoto"],
    ["ＡＢＣ", "abc"],
    ["covid-19", "COVID 19"],
    ["a, b; c", "a b c"],
  ])("makes %j and %j equal", (left, right) => {
    expect(normaliseAnswer(left)).toBe(normaliseAnswer(right));
  });

  it.each([
    ["5", "-5"],
    ["1.5", "15"],
    ["5", "5%"],
    ["1,2345", "12345"],
    ["+", "-"],
    ["17", "17000"],
  ])("keeps %j and %j apart", (left, right) => {
    expect(normaliseAnswer(left)).not.toBe(normaliseAnswer(right));
  });
});
