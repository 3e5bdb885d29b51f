import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { freezeCandidates } from "../candidates/index.ts";
import type { Block, State, Trajectory } from "../schema/index.ts";
import { sharedFile } from "../testing/shared-data.ts";
import type { ImportLine } from "./import-line.ts";
import { importPubmedqa, type PubmedqaOptions } from "./import-pubmedqa.ts";

const first = {
  pmid: "11",
  QUESTION: "Does tea help?",
  CONTEXTS: ["Tea is old.", "We gave tea.", "It helped."],
  LABELS: ["background", " METHODS ", "RESULTS"],
  MESHES: ["Tea"],
  YEAR: "1993",
  reasoning_required_pred: "no",
  reasoning_free_pred: "maybe",
  final_decision: "yes",
  LONG_ANSWER: "Tea seems to help.",
};
const second = {
  ...first,
  pmid: "22",
  QUESTION: "Does coffee?",
  CONTEXTS: ["Coffee is new."],
  LABELS: ["AIM"],
};

async function imported(lines: Iterable<ImportLine>, options?: PubmedqaOptions) {
  const run = importPubmedqa(lines, options);
  const trajectories: Trajectory[] = [];
  for await (const trajectory of run) trajectories.push(trajectory);
  return { trajectories, report: run.report };
}

const values = (...records: readonly unknown[]): ImportLine[] =>
  records.map((value, i) => ({ place: { source: "pqa.jsonl", line: i + 1 }, json: value }));

const actionsOf = ({ steps }: Trajectory) => steps.map(({ action }) => action["type"]);
const lastBlocks = ({ steps }: Trajectory): Block[] => blocksOf(steps.at(-1)?.stateAfter);
const blocksOf = (state: State | undefined): Block[] => state?.["blocks"] as unknown as Block[];

describe("importPubmedqa", () => {
  it("makes a question a trajectory and a section a step, in document order", async () => {
    const { trajectories, report } = await imported(values(first));
    const [trajectory] = trajectories;
    expect(trajectory!.trajectoryId).toBe("pubmedqa/11");
    expect(actionsOf(trajectory!)).toEqual(["read:BACKGROUND", "read:METHODS", "read:RESULTS"]);
    expect(blocksOf(trajectory!.steps[0]!.stateBefore)).toEqual([{ kind: "task", text: "Does tea help?" }]);
    expect(lastBlocks(trajectory!)).toEqual([
      { kind: "task", text: "Does tea help?" },
      { kind: "evidence", name: "BACKGROUND", text: "Tea is old." },
      { kind: "evidence", name: "METHODS", text: "We gave tea." },
      { kind: "evidence", name: "RESULTS", text: "It helped." },
    ]);
    expect(report).toMatchObject({ format: "pubmedqa", records: 1, trajectories: 1, steps: 3 });
  });

  it("has yes, no, maybe and none-of-the-above, in sentences that differ in the verdict alone", async () => {
    const { candidateSpace, question } = (await imported(values(first))).trajectories[0]!.task;
    const { candidates, goldCandidateId, labelSource } = candidateSpace;
    expect(candidates.map(({ id }) => id)).toEqual(["yes", "no", "maybe", "none-of-the-above"]);
    expect(candidates.slice(0, 3).every(({ text }) => text.endsWith(question))).toBe(true);
    expect(goldCandidateId).toBe("yes");
    expect(labelSource).toBe("pubmedqa");
    expect(freezeCandidates(candidateSpace, question).frozenSha256).toMatch(/^[0-9a-f]{64}$/);
  });

  it("appends the conclusion and a foreign abstract where asked to, in this order", async () => {
    const options = { longAnswer: true, foreign: true };
    const [tea, coffee] = (await imported(values(first, second), options)).trajectories;
    expect(actionsOf(tea!)).toEqual([
      "read:BACKGROUND",
      "read:METHODS",
      "read:RESULTS",
      "read:LONG_ANSWER",
      "read:FOREIGN",
    ]);
    expect(lastBlocks(tea!).slice(-2)).toEqual([
      { kind: "evidence", name: "CONCLUSION", text: "Tea seems to help." },
      { kind: "evidence", name: "AIM", text: "Coffee is new." },
    ]);
    expect(actionsOf(coffee!).slice(2)).toEqual(["read:FOREIGN", "read:FOREIGN", "read:FOREIGN"]);
  });

  it("says so where a control cannot be had, and where a section has no name", async () => {
    const bare = { ...first, LONG_ANSWER: undefined, LABELS: ["BACKGROUND"] };
    const { trajectories, report } = await imported(values(bare), { longAnswer: true, foreign: true });
    expect(actionsOf(trajectories[0]!)).toEqual(["read:BACKGROUND", "read:SECTION", "read:SECTION"]);
    expect(report.warningCounts).toEqual({ unnamed_section: 2, no_conclusion: 1, no_foreign_abstract: 1 });
  });

  it("keeps a shuffled abstract's sections, and shuffles the same way each time", async () => {
    const sections = Array.from({ length: 7 }, (_, i) => `Section ${i}.`);
    const long = { ...first, CONTEXTS: sections, LABELS: sections.map((_, i) => `S${i}`) };
    const shuffledTexts = async (seed: number) => {
      const { trajectories } = await imported(values(long), { shuffleSections: true, seed });
      return lastBlocks(trajectories[0]!)
        .slice(1)
        .map(({ text }) => text);
    };
    expect([...(await shuffledTexts(1))].sort()).toEqual(sections);
    expect(await shuffledTexts(1)).toEqual(await shuffledTexts(1));
    const orders = new Set(
      await Promise.all([1, 2, 3, 4].map(async (seed) => (await shuffledTexts(seed)).join())),
    );
    expect(orders.size).toBeGreaterThan(1);
  });

  it("names line and field of a record it cannot use", async () => {
    await expect(imported(values(first, { ...second, final_decision: "perhaps" }))).rejects.toThrow(
      /pqa\.jsonl:2: field final_decision: must be yes, no or maybe, got "perhaps"/,
    );
    await expect(imported(values({ ...first, CONTEXTS: [] }))).rejects.toThrow(
      /CONTEXTS: must hold a section/,
    );
    await expect(imported(values({ ...first, CONTEXTS: ["a", 5] }))).rejects.toThrow(/CONTEXTS\.1: .*got 5/);
  });
});

const file = sharedFile("data/pubmedqa/pqal-100.jsonl");

describe.skipIf(file === undefined)("the public PubMedQA questions", () => {
  const lines = () =>
    readFileSync(file!, "utf8")
      .split("\n")
      .filter(Boolean)
      .map((text, i): ImportLine => ({ place: { source: file!, line: i + 1 }, text }));

  it("come in whole: 100 questions, 315 sections, 55 yes, 34 no, 11 maybe", async () => {
    const { trajectories, report } = await imported(lines());
    expect(report).toMatchObject({
      records: 100,
      trajectories: 100,
      steps: 315,
      labels: 0,
      warningCounts: {},
    });
    const targets = trajectories.map(({ task }) => task.candidateSpace.goldCandidateId);
    expect(["yes", "no", "maybe"].map((id) => targets.filter((target) => target === id).length)).toEqual([
      55, 34, 11,
    ]);
  });

  it("never show the conclusion unless asked to", async () => {
    const records = lines().map((line) => JSON.parse("text" in line ? line.text : "") as typeof first);
    const { trajectories } = await imported(lines(), { foreign: true });
    for (const [i, trajectory] of trajectories.entries()) {
      const shown = lastBlocks(trajectory).map(({ text }) => text);
      expect(shown.join("\n")).not.toContain(records[i]!.LONG_ANSWER);
      expect(shown.slice(1, 1 + records[i]!.CONTEXTS.length)).toEqual(records[i]!.CONTEXTS);
    }
    const { report } = await imported(lines(), { longAnswer: true });
    expect(report.steps).toBe(415);
  });
});
