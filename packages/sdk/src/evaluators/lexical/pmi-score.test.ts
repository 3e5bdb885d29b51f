import { describe, expect, it } from "vitest";
import { buildTermTable } from "./candidate-terms.ts";
import { countTerms } from "./count-terms.ts";
import { pmiScore } from "./pmi-score.ts";
import { tokenise } from "./tokenise.ts";

function score(candidate: string, ...blocks: string[]): number {
  const table = buildTermTable([candidate]);
  const total = new Float64Array(table.size);
  for (const block of blocks) {
    countTerms(table, tokenise(block)).forEach((count, slot) => (total[slot]! += count));
  }
  return pmiScore(table.candidates[0]!, total);
}

describe("pmiScore", () => {
  it("is 0 for an empty state: it adds nothing", () => {
    expect(score("Kyoto in 17.056 steps")).toBeCloseTo(0, 12);
  });

  it("is the smoothed unigram ratio for one token", () => {
    // c = 1, |D| = 2, p = 1e-5: ln((1 + 200e-5) / 202 / 1e-5)
    expect(score("Kyoto", "visit Kyoto")).toBeCloseTo(Math.log(1.002 / 202 / 1e-5), 12);
    // absent, |D| = 2: ln(200 / 202), whatever the background
    expect(score("Osaka", "visit Kyoto")).toBeCloseTo(Math.log(200 / 202), 12);
    expect(score("the", "visit Kyoto")).toBeCloseTo(Math.log(200 / 202), 12);
  });

  it("takes background 5e-3 for a stop word and 1e-3 for two characters", () => {
    expect(score("the", "the")).toBeCloseTo(Math.log((1 + 200 * 5e-3) / 201 / 5e-3), 12);
    expect(score("x2", "x2")).toBeCloseTo(Math.log((1 + 200 * 1e-3) / 201 / 1e-3), 12);
  });

  it("backs off from the bigram to the unigram with five pseudo-counts", () => {
    const unigram = 1.002 / 202;
    const first = Math.log(unigram / 1e-5);
    // the pair occurs once after a left token that is followed once
    const second = Math.log((1 + 5 * unigram) / (1 + 5) / 1e-5);
    expect(score("red panda", "red panda")).toBeCloseTo((first + second) / 2, 12);
    // "panda red": panda follows nothing, red is followed by nothing
    expect(score("red panda", "panda red")).toBeCloseTo(first, 12);
  });

  it("does not join pairs across blocks", () => {
    expect(score("red panda", "red", "panda")).toBeLessThan(score("red panda", "red panda"));
    expect(score("red panda", "red", "panda")).toBeCloseTo(Math.log(1.002 / 202 / 1e-5), 12);
  });

  it("counts every left neighbour, also when the next token is of no interest", () => {
    const unigram = (1 + 200e-5) / 204;
    // "red" is followed twice, once by "panda"
    const red = Math.log((2 + 200e-5) / 204 / 1e-5);
    const panda = Math.log((1 + 5 * unigram) / 7 / 1e-5);
    expect(score("red panda", "red fox red panda")).toBeCloseTo((red + panda) / 2, 12);
  });

  it("falls for every concrete candidate as unrelated text dilutes the state", () => {
    const filler = "completely different matters entirely ".repeat(50);
    expect(score("Kyoto", "Kyoto", filler)).toBeLessThan(score("Kyoto", "Kyoto"));
    expect(score("Osaka", filler)).toBeLessThan(0);
  });
});
