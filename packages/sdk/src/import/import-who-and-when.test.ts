import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { freezeCandidates } from "../candidates/index.ts";
import type { Block, State, Trajectory } from "../schema/index.ts";
import { stateSha256 } from "../schema/index.ts";
import { sharedFile } from "../testing/shared-data.ts";
import { importWhoAndWhen, type WhoAndWhenOptions } from "./import-who-and-when.ts";
import type { RunAnswer } from "./who-and-when-record.ts";

const base = {
  source_file: "Algorithm-Generated/12.json",
  question: "How many bridges?",
  question_ID: "id-of-the-question",
  level: "2",
  ground_truth: "1,024",
  is_correct: false,
  history: [
    { content: "Task and plan: count the bridges.", role: "assistant", name: "Counting_Expert" },
    { content: "print(17)", role: "assistant", name: "Coder" },
    { content: "17", role: "user", name: "Computer_terminal" },
    { content: "", role: "assistant", name: "Coder" },
  ],
  mistake_agent: "Coder",
  mistake_step: "1",
  mistake_reason: "It did not count.",
  system_prompt: { Coder: "You write code." },
};
const others = ["55", "Lyon"].map((ground_truth, i) => ({
  ...base,
  source_file: `Algorithm-Generated/${20 + i}.json`,
  question: `Other question ${i}?`,
  ground_truth,
}));

async function imported(values: readonly unknown[], options?: WhoAndWhenOptions) {
  const lines = values.map((value, i) => ({ place: { source: "logs.jsonl", line: i + 1 }, json: value }));
  const run = importWhoAndWhen(lines, options);
  const trajectories: Trajectory[] = [];
  for await (const trajectory of run) trajectories.push(trajectory);
  return { trajectories, report: run.report };
}

const blocksOf = (state: State | undefined): Block[] => state?.["blocks"] as unknown as Block[];

describe("importWhoAndWhen", () => {
  it("makes a log a trajectory and a message a step", async () => {
    const { trajectories, report } = await imported([base, ...others]);
    const { trajectoryId, createdAt, task, steps, success } = trajectories[0]!;
    expect(trajectoryId).toBe("who-and-when/12");
    expect(createdAt).toBeUndefined();
    expect(success).toBe(false);
    expect(task.difficulty).toBe("2");
    expect(steps.map(({ action }) => action["type"])).toEqual([
      "Counting_Expert",
      "Coder",
      "Computer_terminal",
      "Coder",
    ]);
    expect(blocksOf(steps[0]!.stateBefore)).toEqual([{ kind: "task", text: "How many bridges?" }]);
    expect(blocksOf(steps[3]!.stateAfter)).toEqual([
      { kind: "task", text: "How many bridges?" },
      { kind: "plan", name: "Counting_Expert", text: "Task and plan: count the bridges." },
      { kind: "message", name: "Coder", text: "print(17)" },
      { kind: "evidence", name: "Computer_terminal", text: "17" },
      { kind: "message", name: "Coder", text: "" },
    ]);
    expect(report).toMatchObject({
      format: "who-and-when",
      records: 3,
      trajectories: 3,
      steps: 12,
      labels: 3,
    });
    expect(report.warningCounts).toEqual({});
  });

  it("chains its states", async () => {
    const { steps } = (await imported([base])).trajectories[0]!;
    for (let i = 1; i < steps.length; i++) expect(steps[i]!.stateBefore).toBe(steps[i - 1]!.stateAfter);
  });

  it("keeps the human verdict on its step, as a number read from text", async () => {
    const { steps } = (await imported([base])).trajectories[0]!;
    expect(steps.map(({ label }) => label)).toEqual([undefined, "mistake", undefined, undefined]);
    expect(steps[1]!.labelSource).toBe("who-and-when");
  });

  it("reads the hand-crafted form", async () => {
    const { trajectories, report } = await imported([
      {
        source_file: "Hand-Crafted/12.json",
        question: "How many bridges?",
        level: 2,
        ground_truth: 1024,
        is_corrected: false,
        history: [
          { content: "How many bridges?", role: "human" },
          { content: "Initial plan: count.", role: "Orchestrator (thought)" },
          { content: "Count them.", role: "Orchestrator (-> WebSurfer)" },
          { content: "17", role: "ComputerTerminal" },
        ],
        mistake_agent: "Orchestrator",
        mistake_step: 2,
      },
      { question: "Bare?", ground_truth: "x", history: [{ content: "Hello.", role: "human" }] },
    ]);
    const [full, bare] = trajectories;
    expect(full!.trajectoryId).toBe("who-and-when/hand-crafted/12");
    expect(full!.task.difficulty).toBe("2");
    expect(full!.success).toBe(false);
    expect(full!.steps.map(({ action }) => action["type"])).toEqual([
      "human",
      "Orchestrator",
      "Orchestrator",
      "ComputerTerminal",
    ]);
    expect(blocksOf(full!.steps[3]!.stateAfter).map(({ kind }) => kind)).toEqual([
      "task",
      "message",
      "message",
      "message",
      "evidence",
    ]);
    expect(full!.steps[2]!.label).toBe("mistake");
    expect(bare!.trajectoryId).toBe("who-and-when/line-2");
    expect(bare!.success).toBeUndefined();
    expect(report.warningCounts).toEqual({ few_candidates: 2 });
  });

  it("uses the run's own answer unless it is the reference in another form", async () => {
    const answer = (run_answer: string | null, note?: string): RunAnswer => ({
      source_file: base.source_file,
      run_answer,
      ...(note === undefined ? {} : { note }),
    });
    const candidatesWith = async (own: RunAnswer) => {
      const { trajectories, report } = await imported([base, ...others], { answers: [own] });
      const texts = trajectories[0]!.task.candidateSpace.candidates.map(({ text }) => text);
      return { texts, warnings: report.warningCounts };
    };
    expect((await candidatesWith(answer("17"))).texts).toContain("17");
    expect((await candidatesWith(answer(null))).texts).toHaveLength(4);
    for (const same of [answer("1024"), answer("about a thousand", "another form")]) {
      const { texts, warnings } = await candidatesWith(same);
      expect(texts).toHaveLength(4);
      expect(warnings).toEqual({ answer_differs_in_form: 1 });
    }
  });

  it("warns about labels it cannot use or trust, speakers it cannot name, and repeated ids", async () => {
    const { trajectories, report } = await imported([
      { ...base, mistake_step: "4" },
      { ...base, mistake_step: "one" },
      { ...base, mistake_step: "2" },
      { ...base, history: [{ content: "Hello." }], mistake_step: undefined, ground_truth: undefined },
    ]);
    expect(report.warningCounts).toMatchObject({
      bad_label: 2,
      label_speaker_differs: 1,
      no_speaker: 1,
      no_reference_answer: 1,
      repeated_id: 3,
    });
    expect(trajectories.map(({ trajectoryId }) => trajectoryId)).toEqual([
      "who-and-when/12",
      "who-and-when/12-2",
      "who-and-when/12-3",
      "who-and-when/12-4",
    ]);
    expect(trajectories[3]!.task.candidateSpace.goldCandidateId).toBeUndefined();
  });

  it("names line and field of a record it cannot use, and shows no state", async () => {
    await expect(imported([base, { ...base, history: "all of it" }])).rejects.toMatchObject({
      code: "invalid_record",
      message: expect.stringMatching(/logs\.jsonl:2: field history: .*got "all of it"/),
    });
    await expect(imported([{ ...base, history: [] }])).rejects.toThrow(/field history: holds no message/);
    const broken = importWhoAndWhen([{ place: { source: "logs.jsonl", line: 1 }, text: "{" }]);
    await expect(broken[Symbol.asyncIterator]().next()).rejects.toThrow("logs.jsonl:1: not valid JSON");
  });
});

const occurrences = (text: string, part: string): number => text.split(part).length - 1;

const logFile = sharedFile("data/who-and-when/algorithm-generated-96.jsonl");
const answerFile = sharedFile("data/who-and-when/run-answers.jsonl");

describe.skipIf(logFile === undefined || answerFile === undefined)("the public Who&When logs", () => {
  const read = (file: string): string[] => readFileSync(file, "utf8").split("\n").filter(Boolean);

  async function importAll(seed: number) {
    const answers = read(answerFile!).map((text) => JSON.parse(text) as RunAnswer);
    return imported(
      read(logFile!).map((text) => JSON.parse(text) as unknown),
      { answers, seed },
    );
  }

  it("come in whole: 96 logs, 839 steps, 231 of the terminal, a label in each", async () => {
    const { trajectories, report } = await importAll(7919);
    expect(report).toMatchObject({ records: 96, trajectories: 96, steps: 839, labels: 96 });
    // 15.json and 59.json name another agent than the labelled message's speaker; the answers of
    // 79.json and 82.json differ from the reference in form only
    expect(report.warningCounts).toEqual({ label_speaker_differs: 2, answer_differs_in_form: 2 });
    const steps = trajectories.flatMap((trajectory) => trajectory.steps);
    expect(steps.filter(({ action }) => action["type"] === "Computer_terminal")).toHaveLength(231);
    // constant predictors: 22.9 % of labels on step 1, 15.6 % on step 0
    const labels = steps.filter(({ label }) => label === "mistake").map(({ index }) => index);
    expect(labels.filter((index) => index === 1)).toHaveLength(22);
    expect(labels.filter((index) => index === 0)).toHaveLength(15);
  });

  it("get candidates that freeze, with the target in no favoured place", async () => {
    const { trajectories } = await importAll(7919);
    const sizes = new Map<number, number>();
    const places = new Map<string, number>();
    for (const { task } of trajectories) {
      const { candidates, goldCandidateId = "" } = task.candidateSpace;
      expect(freezeCandidates(task.candidateSpace, task.question).review?.reviewer).toMatch(/who-and-when/);
      sizes.set(candidates.length, (sizes.get(candidates.length) ?? 0) + 1);
      places.set(goldCandidateId, (places.get(goldCandidateId) ?? 0) + 1);
    }
    // 58 logs end with an answer, two of them with the reference in another form
    expect(Object.fromEntries(sizes)).toEqual({ 4: 40, 5: 56 });
    expect(places.get("none-of-the-above")).toBeUndefined();
    expect(Math.max(...places.values())).toBeLessThan(48);
  });

  it("show nothing in a state but question and history", async () => {
    const records = read(logFile!).map((text) => JSON.parse(text) as typeof base);
    const { trajectories } = await importAll(7919);
    for (const [i, { steps }] of trajectories.entries()) {
      const record = records[i]!;
      steps.forEach(({ stateAfter }, index) => {
        const shown = JSON.stringify(stateAfter);
        const held = [record.question, ...record.history.slice(0, index + 1).map(({ content }) => content)];
        // the reference answer may be in a state only where the run itself wrote it
        for (const hidden of [record.ground_truth, record.question_ID, record.mistake_reason]) {
          const quoted = JSON.stringify(hidden).slice(1, -1);
          const allowed = held.reduce((sum, text) => sum + occurrences(JSON.stringify(text), quoted), 0);
          const names = occurrences(JSON.stringify(blocksOf(stateAfter).map(({ name }) => name)), quoted);
          if (quoted.length > 3) expect(occurrences(shown, quoted) - names).toBeLessThanOrEqual(allowed);
        }
        for (const block of blocksOf(stateAfter)) {
          expect([
            "kind,name,text",
            "kind,text",
            "kind,name,text,truncated",
            "kind,text,truncated",
          ]).toContain(Object.keys(block).sort().join());
        }
      });
    }
  });

  it("stay within 24,000 characters a state and record what was cut", async () => {
    const { trajectories } = await importAll(7919);
    let cut = 0;
    for (const { steps } of trajectories) {
      for (const { stateAfter } of steps) {
        const length = blocksOf(stateAfter).reduce((sum, { text }) => sum + text.length, 0);
        expect(length).toBeLessThanOrEqual(24_000);
        if (stateAfter?.["truncated"] !== undefined) cut += 1;
      }
    }
    expect(cut).toBeGreaterThan(0);
  });

  it("are the same each time, and other candidates come with another seed", async () => {
    const first = await importAll(1);
    const again = await importAll(1);
    expect(again.trajectories).toEqual(first.trajectories);
    expect(again.trajectories.map(({ steps }) => stateSha256(steps[0]!.stateAfter!))).toEqual(
      first.trajectories.map(({ steps }) => stateSha256(steps[0]!.stateAfter!)),
    );
    const other = await importAll(2);
    expect(other.trajectories.map(({ task }) => task)).not.toEqual(
      first.trajectories.map(({ task }) => task),
    );
  });
});
