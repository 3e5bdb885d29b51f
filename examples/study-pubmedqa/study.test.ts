import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { lexicalEvaluator, type Evaluator } from "@agent-step-value/sdk";
import { sharedFile } from "../../packages/sdk/src/testing/shared-data.ts";
import { calibrationCurve, chooseConstant, topScores } from "./calibration.ts";
import { finalAccuracy, largestDifference } from "./findings.ts";
import type { Measured } from "./measure.ts";
import { printStudy } from "./print-study.ts";
import { readQuestions } from "./questions.ts";
import { sectionGroup } from "./section-group.ts";
import { runStudy } from "./study.ts";

const verdicts = ["yes", "no", "maybe", "yes", "no", "yes"];
const records = verdicts.map((final_decision, i) => ({
  pmid: String(i),
  QUESTION: `Does remedy ${i} help?`,
  CONTEXTS: [`Remedy ${i} is old.`, `It was tried on ${i} people.`],
  LABELS: ["BACKGROUND", "RESULTS"],
  final_decision,
  LONG_ANSWER: `The verdict is ${final_decision}.`,
}));

let folder: string;
let file: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "study-"));
  file = join(folder, "questions.jsonl");
  writeFileSync(file, records.map((record) => JSON.stringify(record)).join("\n"));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Knows the verdict once it has read it in the conclusion; before that it has no opinion. */
function reader(): Evaluator & { asked: number } {
  const evaluator = {
    ...lexicalEvaluator(),
    settings: { kind: "reader", model: "reader-1", temperature: 0, thinking: false, topLogprobs: 0 },
    asked: 0,
    score: ({ candidates, blocks }: Parameters<Evaluator["score"]>[0]) => {
      evaluator.asked += 1;
      const read = blocks.map(({ text }) => /The verdict is (\w+)/.exec(text)?.[1]).find(Boolean);
      const scores = Object.fromEntries(candidates.map(({ id }) => [id, id === read ? 2 : 0]));
      return Promise.resolve({ form: "candidates" as const, scores, flags: [] });
    },
  };
  return evaluator;
}

describe("runStudy", () => {
  it("shows a reader's gain at the conclusion and nowhere else", async () => {
    const evaluator = reader();
    const result = await runStudy(file, evaluator, { resamples: 100 });
    const gains = Object.fromEntries(result.gains.map(({ group, mean }) => [group, mean]));
    expect(gains).toEqual({ BACKGROUND: 0, RESULTS: 0, LONG_ANSWER: 2, FOREIGN: 0 });
    // four tied candidates without the conclusion: a quarter of six; the verdict alone with it
    expect(result.accuracy).toMatchObject({ questions: 6, correct: 1.5, majority: 3 });
    expect(result.accuracy.correctAmongVerdicts).toBeCloseTo(2, 12);
    expect(result.accuracy.verdicts).toEqual({ tied: 6 });
    expect(result.accuracyWithConclusion).toMatchObject({ correct: 6, noneOnTop: 0 });
    expect(result.shuffleDifference).toBe(0);
    expect(printStudy(result)).toMatch(/LONG_ANSWER +6 +\+2\.000 +\[\+2\.000, \+2\.000\] +6 \/ 0 \/ 0/);
  });

  it("asks about each state once, whatever study part it occurs in", async () => {
    const evaluator = reader();
    await runStudy(file, evaluator, { resamples: 100 });
    // 3 own states, 1 with conclusion, 2 with foreign sections; a shuffle adds one state where it swaps
    const shuffled = await readQuestions(file, { shuffleSections: true, seed: 7 });
    const swapped = shuffled.filter(({ steps }) => steps[0]!.action["type"] === "read:RESULTS").length;
    expect(evaluator.asked).toBe(6 * 6 + 2 * swapped);
  });
});

describe("findings", () => {
  const measured = (finalScores: Measured["finalScores"]): Measured => ({
    trajectories: [],
    steps: [],
    finalScores,
  });

  it("finds the largest difference, and NaN where a score is missing", () => {
    const left = measured([[{ yes: 1, no: 2 }], [{ yes: 0, no: 0 }]]);
    expect(largestDifference(left, measured([[{ yes: 1, no: 2.5 }], [{ yes: -0.25, no: 0 }]]))).toBe(0.5);
    expect(largestDifference(left, measured([[{ yes: 1 }], [{ yes: 0, no: 0 }]]))).toBeNaN();
  });

  it("counts nothing for a state without a score", async () => {
    const trajectories = await readQuestions(file);
    const accuracy = finalAccuracy({ trajectories, steps: trajectories.map(() => []), finalScores: [] });
    expect(accuracy).toMatchObject({ questions: 6, correct: 0, noneOnTop: 0, verdicts: {} });
  });

  it.each([
    ["read:MATERIALS AND METHODS", "METHODS"],
    ["read:MAIN OUTCOME MEASURES", "METHODS"],
    ["read:METHODS AND RESULTS", "METHODS+RESULTS"],
    ["read:FINDINGS", "RESULTS"],
    ["read:BACKGROUND AND PURPOSE", "BACKGROUND"],
    ["read:STUDY OBJECTIVE", "OBJECTIVE"],
    ["read:CASE REPORTS", "OTHER"],
    ["read:LONG_ANSWER", "LONG_ANSWER"],
  ])("puts %s with %s", (action, group) => {
    expect(sectionGroup(action)).toBe(group);
  });
});

describe("calibration", () => {
  it("takes the smallest constant with the largest J that rejects every bare question", () => {
    const curve = calibrationCurve({ own: [1, 1.2, 0.32], foreign: [0.1, 0.2, 0.28], questionOnly: [0] });
    const chosen = chooseConstant(curve);
    // foreign all below 0.3, own all at 0.32 or above
    expect(chosen).toEqual({
      constant: 0.3,
      noneOnOwn: 0,
      noneOnForeign: 1,
      noneOnQuestionOnly: 1,
      youden: 1,
    });
    expect(curve).toHaveLength(41);
    expect(curve[0]!.noneOnQuestionOnly).toBe(0);
  });

  it("scores each question with its own abstract, all others and none", async () => {
    const { own, foreign, questionOnly } = await topScores(lexicalEvaluator(), await readQuestions(file));
    expect([own.length, foreign.length, questionOnly.length]).toEqual([6, 30, 6]);
    expect(questionOnly).toEqual([0, 0, 0, 0, 0, 0]);
    expect(Math.min(...own)).toBeGreaterThan(0);
  });
});

const shared = sharedFile("data/pubmedqa/pqal-100.jsonl");

describe.skipIf(shared === undefined)("lexical-v1 on the public questions", () => {
  it("does not depend on the order of sections, to 1e-9", async () => {
    const { shuffleDifference, accuracy } = await runStudy(shared!, lexicalEvaluator(), { resamples: 10 });
    expect(accuracy.questions).toBe(100);
    expect(accuracy.majority).toBe(55);
    expect(shuffleDifference).toBeLessThanOrEqual(1e-9);
  });
});
