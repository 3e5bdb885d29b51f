import { describe, expect, it } from "vitest";
import { checkRationale } from "./check-rationale.ts";

const candidates = [
  { id: "cand-1", text: "The drug lowers mortality." },
  { id: "cand-2", text: "The drug raises mortality." },
  { id: "cand-3", text: "Vitamin A lowers mortality." },
  { id: "none-of-the-above", text: "None of the above." },
];
const check = (text: string, more: object = {}) => checkRationale({ text, candidates, ...more });
const leaks = (text: string, more: object = {}) =>
  check(text, more).flags.filter((flag) => flag === "label_leak" || flag === "gold_leak");

describe("label leak", () => {
  it.each([
    "Option B fits best.",
    "So the answer is label (C).",
    "candidate A has more support",
    "The right choice: D",
    "Answer: B",
    "A: supported by two trials",
    "cand-1 is supported.\n(B) is contradicted",
    "**C**: missing evidence",
    "A = the drug lowers mortality",
    "cand-1 wins.\nB",
    'option "A" is weak',
  ])("%j names a label", (text) => {
    expect(leaks(text)).toEqual(["label_leak"]);
  });

  it.each([
    "n = 120 adults; p = 0.03",
    "candidate a was mentioned first",
    "a candidate answer; an option among others",
    "Vitamin A lowers mortality, as hepatitis B does not.",
    "In group A (n = 12) and group B the effect differed.",
    "An answer I would trust needs more data.",
    "Option Z is not among four candidates.",
    "I: the first trial; option Aspirin; label A1",
    "option A's",
    "cand-1: supported\ncand-2: contradicted",
    "A trial of 120 adults.\nA second trial.",
    "p = 0.03\nn = 120\nE = mc2",
  ])("%j names none", (text) => {
    expect(leaks(text)).toEqual([]);
  });

  it("words of a candidate's own text are no leak", () => {
    const own = [
      { id: "x-1", text: "Choose option A of the plan." },
      { id: "x-2", text: "Neither." },
    ];
    expect(
      checkRationale({ text: "The report says option A of the plan.", candidates: own }).flags,
    ).not.toContain("label_leak");
    expect(
      checkRationale({ text: "The report says option B of the plan.", candidates: own }).flags,
    ).toContain("label_leak");
  });
});

describe("gold leak", () => {
  it.each([
    "The correct answer is cand-1.",
    "The answer key says cand-1",
    "cand-1 is the gold answer, so nothing else counts.",
    "Ground truth: the drug lowers mortality.",
    "As the reference answer is clearly cand-1, the rest is moot.",
  ])("%j asserts the target as the key", (text) => {
    expect(leaks(text)).toEqual(["gold_leak"]);
    expect(leaks(text, { targetId: "cand-1" })).toEqual(["gold_leak"]);
    expect(leaks(text, { targetId: "cand-2" })).toEqual([]);
  });

  it.each([
    "Biopsy is the gold standard for cand-1.",
    "No answer key is known. cand-1 is supported.",
    "The correct answer is not cand-1.",
    "The correct answer cannot be told; cand-1 and cand-2 are both open.",
    "Whether the correct answer exists is unclear.",
    "The correct answer is cand-12.",
    "success: 80% in the cand-1 arm; final score 3.2",
  ])("%j asserts none", (text) => {
    expect(leaks(text)).toEqual([]);
  });
});

describe("coverage, empty, cut off", () => {
  it("counts ids as whole words and texts, case aside", () => {
    expect(check("cand-1, CAND-2, vitamin a lowers mortality. and none-of-the-above").coverage).toBe(1);
    expect(check("cand-1 and cand-20")).toMatchObject({ coverage: 0.25, flags: ["low_coverage"] });
  });

  it("flags an empty text and one that hit its limit", () => {
    expect(check(" \n")).toEqual({ flags: ["low_coverage", "empty_rationale"], coverage: 0 });
    expect(check("cand-1", { finishReason: "length" }).flags).toContain("cut_off_rationale");
    expect(check("cand-1", { finishReason: "stop" }).flags).not.toContain("cut_off_rationale");
  });

  it("ends soon on long hostile text", () => {
    for (const piece of ["option ", "(((((", "the correct answer is ", "cand-1 ", "\n  *", "A"]) {
      expect(check(piece.repeat(20_000)).coverage).toBeLessThanOrEqual(1);
    }
  });
});
