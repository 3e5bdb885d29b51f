import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  BLOCK_KINDS,
  decodeLiveRecord,
  stateSha256,
  type Block,
  type OpenRecord,
  type State,
  type StepRecord,
} from "@agent-step-value/sdk";
import { lexicalEvaluator } from "@agent-step-value/sdk";
import { DATA_FILE, dataFileText } from "./author.ts";
import { liveRecords } from "./live-records.ts";
import { plan, type RunSource } from "./runs/run-source.ts";

const stored = readFileSync(DATA_FILE, "utf8");
const records = stored
  .split("\n")
  .slice(0, -1)
  .map((line, i) => decodeLiveRecord(JSON.parse(line), { source: "evidence-questions", line: i + 1 }));
const opens = records.filter((r): r is OpenRecord => r.record === "open");
const steps = records.filter((r): r is StepRecord => r.record === "step");
const stepsOf = (id: string) => steps.filter(({ trajectoryId }) => trajectoryId === id);
const blocksOf = (state: State | undefined) => state!["blocks"] as unknown as Block[];
const tally = (values: readonly string[]) =>
  Object.fromEntries([...new Set(values)].map((value) => [value, values.filter((v) => v === value).length]));

describe("the stored data file", () => {
  it("is what the authoring script writes, byte for byte", () => {
    expect(stored === dataFileText(), "run `npm run author` and look at the difference").toBe(true);
  });

  it("holds 28 questions with 5 to 11 steps each, numbered from 0 in file order", () => {
    expect(opens).toHaveLength(28);
    expect(new Set(opens.map(({ trajectoryId }) => trajectoryId)).size).toBe(28);
    for (const { trajectoryId: id } of opens) {
      const own = stepsOf(id);
      expect(own.length, id).toBeGreaterThanOrEqual(5);
      expect(own.length, id).toBeLessThanOrEqual(11);
      expect(own.map(({ step }) => step.index)).toEqual(own.map((_, i) => i));
      expect(new Set(own.map(({ step }) => step.stepId)).size).toBe(own.length);
    }
  });

  it("has the step types and marks that the README counts", () => {
    expect(tally(steps.map(({ step }) => step.action["type"] as string))).toEqual({
      classify: 28,
      plan: 14,
      retrieve: 54,
      extract: 16,
      draft: 28,
      audit: 20,
      revise: 9,
      verify: 9,
      finalize: 26,
    });
    const marked = steps.filter(({ step }) => step.label !== undefined);
    expect(tally(marked.map(({ step }) => step.label!))).toEqual({
      "loses-evidence": 6,
      "corrupts-evidence": 16,
      repairs: 13,
    });
    for (const { step } of marked) {
      expect(step.labelSource).toBe("author");
      expect(step.extra?.["label_note"]).toMatch(/^[A-Z].{30,}\.$/);
    }
    const runsWithMarks = new Set(marked.map(({ trajectoryId }) => trajectoryId));
    expect(opens.length - runsWithMarks.size).toBe(10);
  });

  it("opens a run before its steps, closes it after them, and leaves one run open", () => {
    for (const { trajectoryId: id } of opens) {
      const kinds = records.filter((r) => r.trajectoryId === id).map(({ record }) => record);
      const closes = id === "night-lamp-levy" ? [] : ["close"];
      expect(kinds).toEqual(["open", ...stepsOf(id).map(() => "step"), ...closes]);
    }
  });

  it("alternates the records of concurrent runs", () => {
    const owners = records.map(({ trajectoryId }) => trajectoryId);
    const firstThree = ["tarn-hollow-pressure", "ospel-fountain-colour", "brinewell-pump-seal"];
    expect(owners.slice(0, 6)).toEqual([...firstThree, ...firstThree]);
  });
});

describe("states", () => {
  it("carry true digests, and form a chain except at the two marked discontinuities", () => {
    const breaks: string[] = [];
    for (const { trajectoryId: id } of opens) {
      let previous: string | undefined;
      for (const { step, beforeSha256, afterSha256 } of stepsOf(id)) {
        expect(afterSha256).toBe(stateSha256(step.stateAfter!));
        if (step.stateBefore !== undefined) expect(beforeSha256).toBe(stateSha256(step.stateBefore));
        const chained = beforeSha256 === previous;
        expect(step.stateBefore === undefined, step.stepId).toBe(chained);
        expect(step.discontinuity === true).toBe(previous !== undefined && !chained);
        if (step.discontinuity === true) breaks.push(`${id}/${step.stepId}`);
        previous = afterSha256;
      }
    }
    expect(breaks).toEqual(["saltmarket-bell/06-draft", "tolmer-ferry-delay/06-draft"]);
  });

  it("begin with the question as task and hold named blocks of 80 to 400 characters", () => {
    for (const { trajectoryId: id, task } of opens) {
      for (const { step } of stepsOf(id)) {
        const [first, ...rest] = blocksOf(step.stateAfter);
        expect(first).toEqual({ kind: "task", text: task.question });
        expect(new Set(rest.map(({ name }) => name)).size, id).toBe(rest.length);
        for (const { kind, name, text } of rest) {
          expect(BLOCK_KINDS).toContain(kind);
          expect(name).toBeDefined();
          expect(text.length >= 80 && text.length <= 400, `${id} ${name}: ${text.length}`).toBe(true);
        }
      }
    }
  });

  it("share no sentence between runs", () => {
    const owner = new Map<string, string>();
    for (const { trajectoryId: id } of opens) {
      const texts = stepsOf(id).flatMap(({ step }) => blocksOf(step.stateAfter).map(({ text }) => text));
      for (const sentence of texts.flatMap((text) => text.split(/(?<=[.!?])\s+/))) {
        expect(owner.get(sentence) ?? id, sentence).toBe(id);
        owner.set(sentence, id);
      }
    }
  });
});

describe("candidates", () => {
  it("are three answers of 4 to 12 words and none-of-the-above, with the target in every place", () => {
    for (const { task } of opens) {
      const { candidates } = task.candidateSpace;
      expect(candidates.map(({ id }) => id)).toEqual(["cand-1", "cand-2", "cand-3", "none-of-the-above"]);
      for (const { text } of candidates) {
        const words = text.split(" ").length;
        expect(words >= 4 && words <= 12, text).toBe(true);
      }
    }
    expect(tally(opens.map(({ task }) => task.candidateSpace.goldCandidateId!))).toEqual({
      "cand-1": 7,
      "cand-2": 9,
      "cand-3": 7,
      "none-of-the-above": 5,
    });
  });

  it("share no content word with their question, so that the question alone decides nothing", () => {
    const contentWords = (text: string) => text.toLowerCase().match(/[a-z]{4,}/g) ?? [];
    for (const { task } of opens) {
      const asked = new Set(contentWords(task.question));
      const concrete = task.candidateSpace.candidates.slice(0, 3);
      const shared = concrete.flatMap(({ text }) => contentWords(text).filter((word) => asked.has(word)));
      expect(shared, task.question).toEqual([]);
    }
  });
});

describe("marks", () => {
  it("agree in direction with what the lexical evaluator sees, and no unmarked step does damage", async () => {
    const evaluator = lexicalEvaluator();
    for (const { trajectoryId: id, task } of opens) {
      const { candidates, goldCandidateId } = task.candidateSpace;
      const margin = async (state: State | undefined) => {
        const request = { question: task.question, candidates, labelToCandidate: {}, prompt: "" };
        const reply = await evaluator.score({ ...request, blocks: blocksOf(state) });
        if (reply.form !== "candidates") throw new Error("the lexical evaluator scores candidates");
        const rivals = candidates.filter((c) => c.id !== goldCandidateId).map((c) => reply.scores[c.id]!);
        return reply.scores[goldCandidateId!]! - Math.max(...rivals);
      };
      let previous: State | undefined;
      for (const { step } of stepsOf(id)) {
        const before = await margin(step.stateBefore ?? previous);
        const after = await margin(step.stateAfter);
        const place = `${id}/${step.stepId}: ${before} to ${after}`;
        if (step.label === undefined) expect(before > 0 && after <= 0, place).toBe(false);
        else expect(after > before, place).toBe(step.label === "repairs");
        previous = step.stateAfter;
      }
    }
  });
});

describe("clean data", () => {
  it("holds nothing that looks like a credential, a person's address or a place in a file system", () => {
    const suspicious = [
      /\b(?:sk|pk|ghp|gho|xox[abp]|AKIA|AIza|eyJ)[-_A-Za-z0-9]{8,}/,
      /\b(?:password|passwd|secret|api[-_ ]?key|bearer|authorization)\b/i,
      /[\w.+-]+@[\w-]+\.\w+/,
      /https?:\/\//,
      /\/(?:home|root|tmp|usr|var|etc)\//,
      /-----BEGIN/,
      /[A-Za-z0-9+/=_]{32,}/,
    ];
    const withoutDigests = stored.replaceAll(/"[0-9a-f]{64}"/g, '""');
    for (const pattern of suspicious) expect(withoutDigests.match(pattern)?.[0]).toBeUndefined();
  });
});

describe("liveRecords", () => {
  const run: RunSource = {
    id: "r",
    question: "Which?",
    candidates: ["a", "b", "c"],
    target: 1,
    answered: 2,
    steps: [
      { type: "plan", put: [plan("one", "first"), plan("two", "second")] },
      { type: "revise", drop: ["two"], put: [plan("one", "rewritten"), plan("three", "third")] },
    ],
  };

  it("replaces a namesake in place, appends the rest and leaves earlier states alone", () => {
    const made = liveRecords([{ name: "t", concurrent: false, runs: [run] }]);
    const texts = made.map((record) =>
      record.record === "step" ? blocksOf(record.step.stateAfter).map(({ text }) => text) : record.record,
    );
    expect(texts).toEqual(["open", ["Which?", "first", "second"], ["Which?", "rewritten", "third"], "close"]);
    expect(made.at(-1)).toMatchObject({ status: "completed", success: false });
  });

  it("refuses to drop a block that is not there", () => {
    const misspelt: RunSource = { ...run, steps: [{ type: "extract", drop: ["oen"] }] };
    expect(() => liveRecords([{ name: "t", concurrent: false, runs: [misspelt] }])).toThrow(
      'run "r": nothing named "oen" to drop',
    );
  });
});
