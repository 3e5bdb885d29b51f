import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AsvError } from "../errors/index.ts";
import { decodeTrajectory, type CandidateSpace } from "../schema/index.ts";
import { checkFrozen, freezeCandidates, newCandidateSet } from "./index.ts";

const question = "Does the drug lower mortality?";
const review = { reviewer: "M. Okafor", reviewedAt: "2026-05-01" };
const open = () => newCandidateSet("open-qa", { answers: ["Yes.", "No.", "In part."], target: 0 });

describe("freezeCandidates", () => {
  it("records digest, order and review, and leaves the given set alone", () => {
    const space = open();
    const before = structuredClone(space);
    const frozen = freezeCandidates(space, question, review);
    expect(space).toEqual(before);
    expect(frozen.frozenSha256).toMatch(/^[0-9a-f]{64}$/);
    expect(frozen.review).toEqual(review);
    expect(frozen.goldCandidateId).toBe("cand-1");
    expect(checkFrozen(frozen, question)).toEqual({ frozen: true });
  });

  it("refuses without a reviewer, unless the data set's own labels define the set", () => {
    const refused = () => freezeCandidates(open(), question, { reviewer: " " });
    expect(refused).toThrow(AsvError);
    expect(refused).toThrow(expect.objectContaining({ code: "unfrozen_candidates" }));
    const closed = newCandidateSet("closed", { answers: ["yes", "no", "maybe"], labelSource: "pubmedqa" });
    const frozen = freezeCandidates(closed, question);
    expect(frozen.review?.reviewer).toBe("labels of pubmedqa");
    expect(frozen.review?.notes).toContain("no person");
    expect(checkFrozen(frozen, question).frozen).toBe(true);
  });

  it("refuses an empty question and a target that is no candidate", () => {
    expect(() => freezeCandidates(open(), " ", review)).toThrow(/question/);
    expect(() => freezeCandidates({ ...open(), goldCandidateId: "cand-9" }, question, review)).toThrow(
      /goldCandidateId/,
    );
  });

  it.each(["", " \n", ".", "\u200b\u2060"])("refuses a candidate whose text shows nothing: %j", (text) => {
    const json = {
      trajectory_id: "t",
      task: {
        question,
        candidate_space: {
          candidates: [
            { id: "cand-1", text: "Yes." },
            { id: "cand-2", text },
          ],
        },
      },
      steps: [],
    };
    const { task } = decodeTrajectory(json, { source: "runs.jsonl", line: 1 });
    expect(() => freezeCandidates(task.candidateSpace, question, review)).toThrow(
      expect.objectContaining({
        code: "invalid_argument",
        fields: expect.objectContaining({ argument: "candidates[1].text" }),
        message: expect.stringContaining('must be a non-empty text for candidate "cand-2"'),
      }),
    );
  });

  it("gives the same order whatever the input order and the target", () => {
    const arbitrary = fc.record({
      answers: fc.uniqueArray(fc.stringMatching(/^[a-z]{3,12}$/), { minLength: 2, maxLength: 8 }),
      seed: fc.nat(),
      target: fc.nat(),
    });
    fc.assert(
      fc.property(arbitrary, ({ answers, seed, target }) => {
        const space = newCandidateSet("closed", { answers });
        const shuffled = space.candidates
          .toSorted((a, b) => (a.text + seed > b.text + seed ? 1 : -1))
          .toReversed();
        const other = {
          ...space,
          candidates: shuffled,
          goldCandidateId: shuffled[target % shuffled.length]!.id,
        };
        const a = freezeCandidates(space, question, review);
        const b = freezeCandidates(other, question, review);
        expect(b.candidates).toEqual(a.candidates);
        expect(b.frozenSha256).toBe(a.frozenSha256);
      }),
    );
  });

  it("puts the target in every place equally often", () => {
    // 2,000 sets of 4: each place expects 500; χ² with 3 degrees of freedom stays below 16.3 with
    // probability 0.999. The draw is a hash of fixed texts, so this does not change from run to run.
    const places = [0, 0, 0, 0];
    for (let i = 0; i < 2000; i++) {
      const answers = [`first answer ${i}`, `second answer ${i}`, `third answer ${i}`];
      const frozen = freezeCandidates(
        newCandidateSet("open-qa", { answers, target: 0 }),
        `question ${i}`,
        review,
      );
      places[frozen.candidates.findIndex(({ id }) => id === frozen.goldCandidateId)]!++;
    }
    const chiSquare = places.reduce((sum, n) => sum + (n - 500) ** 2 / 500, 0);
    expect(chiSquare).toBeLessThan(16.3);
  });
});

describe("checkFrozen", () => {
  const reasonOf = (space: CandidateSpace, asked = question) => {
    const check = checkFrozen(space, asked);
    return check.frozen ? "frozen" : check.reason;
  };

  it("finds a set never frozen, changed, reordered, or stripped of its review", () => {
    const frozen = freezeCandidates(open(), question, review);
    expect(reasonOf(open())).toBe("never_frozen");
    const changed = structuredClone(frozen);
    changed.candidates[1]!.text += "!";
    expect(reasonOf(changed)).toBe("changed");
    expect(reasonOf(frozen, `${question} `)).toBe("changed");
    const renamed = structuredClone(frozen);
    renamed.candidates[0]!.id = "cand-7";
    expect(reasonOf(renamed)).toBe("changed");
    expect(reasonOf({ ...frozen, candidates: frozen.candidates.toReversed() })).toBe("reordered");
    const { review: _review, ...unreviewed } = frozen;
    expect(reasonOf(unreviewed)).toBe("no_review");
  });

  it("does not look at the target", () => {
    const frozen = freezeCandidates(open(), question, review);
    expect(reasonOf({ ...frozen, goldCandidateId: "cand-2" })).toBe("frozen");
  });
});
