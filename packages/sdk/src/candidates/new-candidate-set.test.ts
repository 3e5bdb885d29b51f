import { describe, expect, it } from "vitest";
import { isNoneOfTheAbove, newCandidateSet, validateCandidates } from "./index.ts";

describe("newCandidateSet", () => {
  it("open-qa: three answers and one none-of-the-above, ids without meaning", () => {
    const set = newCandidateSet("open-qa", { answers: ["Yes.", "No.", "Only in children."], target: 2 });
    expect(set.candidates.map(({ id }) => id)).toEqual(["cand-1", "cand-2", "cand-3", "none-of-the-above"]);
    expect(set.candidates.filter(isNoneOfTheAbove)).toHaveLength(1);
    expect(set).toMatchObject({ type: "candidate_set", goldCandidateId: "cand-3" });
    expect(set.frozenSha256).toBeUndefined();
  });

  it("open-qa: the target can be none-of-the-above; two or four answers are refused", () => {
    const set = newCandidateSet("open-qa", { answers: ["1 mg", "2 mg", "3 mg"], target: "none" });
    expect(set.goldCandidateId).toBe("none-of-the-above");
    expect(() => newCandidateSet("open-qa", { answers: ["a b", "c d"] })).toThrow(/three concrete answers/);
    expect(() => newCandidateSet("open-qa", { answers: ["w", "x", "y", "z"] })).toThrow(/three/);
  });

  it("closed: the caller's answers alone, 2 to 26 of them", () => {
    const set = newCandidateSet("closed", { answers: ["yes", "no", "maybe"], labelSource: "pubmedqa" });
    expect(set).toMatchObject({ type: "closed_set", labelSource: "pubmedqa" });
    expect(set.candidates.map(({ text }) => text)).toEqual(["yes", "no", "maybe"]);
    expect(() => newCandidateSet("closed", { answers: ["yes"] })).toThrow(/2 to 26/);
    const many = Array.from({ length: 27 }, (_, i) => `answer ${i}`);
    expect(() => newCandidateSet("closed", { answers: many })).toThrow(/2 to 26/);
    expect(newCandidateSet("closed", { answers: many.slice(1) }).candidates).toHaveLength(26);
  });

  it("outcome: four ways a run can end, and no answers of the caller's", () => {
    expect(newCandidateSet("outcome").candidates).toHaveLength(4);
    expect(newCandidateSet("outcome", { target: 2 }).goldCandidateId).toBe("cand-3");
    expect(() => newCandidateSet("outcome", { answers: ["x"] })).toThrow(/left out/);
  });

  it("refuses an unknown preset by name and a target that is no candidate", () => {
    expect(() => newCandidateSet("multi" as never)).toThrow(/no candidate preset "multi"/);
    expect(() => newCandidateSet("closed", { answers: ["x", "y"], target: 2 })).toThrow(/target/);
    expect(() => newCandidateSet("closed", { answers: ["x", "y"], target: "none" })).toThrow(/target/);
  });
});

describe("validateCandidates", () => {
  const set = (...rows: [id: string, text: string][]) => rows.map(([id, text]) => ({ id, text }));

  it("refuses equal texts after normalising, and equal ids", () => {
    expect(() => validateCandidates(set(["x1", "Aspirin  helps."], ["x2", "aspirin helps"]), "read")).toThrow(
      /candidates\[1\]\.text must be different from the text of candidate "x1"/,
    );
    expect(() => validateCandidates(set(["x1", "one"], ["x1", "two"]), "read")).toThrow(/unique/);
  });

  it("refuses empty texts and ids, ids of several lines, and two none-of-the-above", () => {
    expect(() => validateCandidates(set(["x1", " "], ["x2", "two"]), "read")).toThrow(/non-empty text/);
    expect(() => validateCandidates(set(["", "one"], ["x2", "two"]), "read")).toThrow(/non-empty id/);
    for (const end of ["\n", "\r", "\u2028", "\u0085", "\u0000"]) {
      expect(() => validateCandidates(set([`x${end}1`, "one"], ["x2", "two"]), "read")).toThrow(/one line/);
    }
    const nones = set(["none-of-the-above", "Nothing fits."], ["x2", "None of these"]);
    expect(() => validateCandidates(nones, "read")).toThrow(/at most one none-of-the-above/);
  });

  it.each(["A", "b", "answer-a", "option_B", "correct", "gold-1", "the.target", "distractor-2"])(
    "id %s: refused in a set made here, a warning in one that is read",
    (id) => {
      const candidates = set([id, "one"], ["x2", "two"]);
      expect(() => validateCandidates(candidates, "made")).toThrow(/without meaning/);
      const warnings = validateCandidates(candidates, "read");
      expect(warnings).toHaveLength(1);
      expect(warnings[0]).toContain(JSON.stringify(id));
    },
  );

  it.each([
    "cand-1",
    "none-of-the-above",
    "supported",
    "not_enough_information",
    "yes",
    "goldfish",
    "keyboard",
  ])("id %s: no warning", (id) => {
    expect(validateCandidates(set([id, "one"], ["x2", "two"]), "made")).toEqual([]);
  });

  it("refuses half a surrogate pair", () => {
    expect(() => validateCandidates(set(["x1", "one \ud83d"], ["x2", "two"]), "read")).toThrow(/well-formed/);
    expect(validateCandidates(set(["x1", "one 😀"], ["x2", "two"]), "read")).toEqual([]);
  });

  it("takes ids that are keys of every object", () => {
    expect(validateCandidates(set(["__proto__", "one"], ["constructor", "two"]), "read")).toEqual([]);
  });
});
