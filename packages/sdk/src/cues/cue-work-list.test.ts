import { describe, expect, it } from "vitest";
import type { DiagnosedStep } from "../diagnose/index.ts";
import type { Block, State, Trajectory } from "../schema/index.ts";
import { fixtureTrajectory } from "../testing/fixture-trajectory.ts";
import { createBufferTexts } from "./buffer-texts.ts";
import { encodeCueRow } from "./cue-codec.ts";
import { cueCsvLines } from "./cue-csv.ts";
import type { CueRow } from "./cue-row.ts";
import { cueWorkList, type CueInput } from "./cue-work-list.ts";
import { applyCueVerdicts, readCueVerdicts } from "./cue-verdicts.ts";
import { decodeCueRow } from "./decode-cue-row.ts";
import { parseCsv } from "./csv-table.ts";
import { summarizeCues } from "./summarize-cues.ts";

const place = { source: "cues.jsonl", line: 1 };

function stateOf(...evidence: string[]): State {
  const blocks: Block[] = [
    { kind: "task", text: "How does clay stop rust? Perhaps by pore sealing or salt exchange." },
    ...evidence.map((text): Block => ({ kind: "evidence", text })),
  ];
  return { blocks } as unknown as State;
}

/** The target is about sealing pores, the competitor about exchanging salts. */
const trajectory: Trajectory = fixtureTrajectory({
  question: "How does clay stop rust?",
  answers: ["Its fine grains seal pores in iron.", "It exchanges salts with iron.", "It keeps air away."],
  states: [stateOf("Fine grains were seen."), stateOf("Pores sealed by the clay.")],
});
const [target, competitor] = ["cand-1", "cand-2"];

function measured(belief: Record<string, number>, stepId = "step-1"): DiagnosedStep {
  return {
    trajectoryId: trajectory.trajectoryId,
    stepId,
    index: 0,
    action: "search",
    protocolId: "rho-1",
    evaluatorKind: "scripted",
    flags: [],
    diagnostics: {
      beliefBefore: belief,
      beliefAfter: belief,
      entropyBefore: 0,
      entropyAfter: 0,
      entropyMovement: 0,
      surprise: 0,
      flags: [],
    },
  };
}

const step = measured({ "cand-1": 0.1, "cand-2": 0.7, "cand-3": 0.2 });
const input: CueInput = {
  trajectory,
  step,
  buffers: { before: "cand-1: fine grains.", after: "cand-2: salts are exchanged. Iron is there." },
  gap: -9.5,
};

function onlyRow(from: CueInput = input): CueRow {
  const { rows, skipped } = cueWorkList([from]);
  expect(skipped).toEqual([]);
  return rows[0]!;
}

const cueOf = (row: CueRow, text: string) => row.cues.find((cue) => cue.text === text)!;

describe("cueWorkList", () => {
  it("says where each cue of target and competitor stands", () => {
    const row = onlyRow();
    expect(row).toMatchObject({
      trajectoryId: trajectory.trajectoryId,
      stepId: "step-1",
      gap: -9.5,
      target: { id: target, text: "Its fine grains seal pores in iron." },
      competitor: { id: competitor, text: "It exchanges salts with iron." },
      competitorTied: false,
      cuesLeftOut: 0,
    });
    expect(cueOf(row, "grains")).toEqual({
      text: "grains",
      of: "target",
      shared: false,
      stateBefore: "verbatim",
      stateAfter: "absent",
      bufferBefore: "verbatim",
      bufferAfter: "absent",
    });
    // "Pores sealed": the word is there, and "seal" by its stem; the phrase "… seal pores" is not.
    expect(cueOf(row, "pores")).toMatchObject({ stateAfter: "verbatim", bufferAfter: "absent" });
    expect(cueOf(row, "seal")).toMatchObject({ stateBefore: "absent", stateAfter: "stem" });
    expect(cueOf(row, "fine grains seal pores")).toMatchObject({ stateAfter: "absent" });
    expect(cueOf(row, "salts")).toMatchObject({
      of: "competitor",
      stateAfter: "absent",
      bufferAfter: "verbatim",
    });
    expect(cueOf(row, "exchanges")).toMatchObject({ bufferAfter: "stem" });
  });

  it("does not take the question for evidence, and marks cues that tell nothing apart", () => {
    const row = onlyRow();
    // "pore sealing or salt exchange" stands in the task block alone.
    expect(cueOf(row, "salts").stateBefore).toBe("absent");
    expect(row.cues.filter(({ text }) => text === "iron").map(({ shared }) => shared)).toEqual([true, true]);
  });

  it("searches the slice that the evaluator was shown", () => {
    const { rows } = cueWorkList([input], "none");
    expect(rows[0]!.cues.every(({ stateAfter }) => stateAfter === "absent")).toBe(true);
  });

  it("leaves buffers out where the channel has none", () => {
    const row = onlyRow({ trajectory, step });
    expect(row).not.toHaveProperty("bufferAfter");
    expect(row.cues.every((cue) => !("bufferBefore" in cue) && !("bufferAfter" in cue))).toBe(true);
  });

  it("calls candidates tied that share the place of the competitor", () => {
    const row = onlyRow({ trajectory, step: measured({ "cand-1": 1, "cand-2": 0, "cand-3": 0 }) });
    expect(row.competitorTied).toBe(true);
    expect([competitor, "cand-3"]).toContain(row.competitor.id);
  });

  it("skips what cannot be listed, with the reason", () => {
    const { goldCandidateId: _gold, ...space } = trajectory.task.candidateSpace;
    const targetless = { ...trajectory, task: { ...trajectory.task, candidateSpace: space } };
    const [first] = trajectory.steps;
    const { stateAfter: _after, ...half } = first!;
    const { diagnostics: _diagnostics, ...unscored } = step;
    const { rows, skipped } = cueWorkList([
      { trajectory, step: measured({}, "step-9") },
      { trajectory: targetless, step },
      { trajectory: { ...trajectory, steps: [half] }, step },
      { trajectory, step: unscored },
      { trajectory, step: measured({ "cand-1": 1 }) },
      input,
    ]);
    expect(skipped.map(({ reason }) => reason)).toEqual([
      "no_such_step",
      "no_target",
      "no_state",
      "unscored",
      "unscored",
    ]);
    expect(rows).toHaveLength(1);
  });
});

describe("a row in a file", () => {
  it("comes back as it was, and is refused when its content was changed", () => {
    const row = onlyRow();
    const wire = JSON.parse(JSON.stringify(encodeCueRow(row)));
    expect(wire).toMatchObject({ schema_version: "asv.cues.v1", record: "cue_row_with_target" });
    expect(decodeCueRow(wire, place)).toEqual(row);
    expect(() => decodeCueRow({ ...wire, buffer_after: "rewritten" }, place)).toThrow("was changed");
    expect(() => decodeCueRow({ ...wire, verdict: "guilty" }, place)).toThrow("verdict");
    expect(() => decodeCueRow({ ...wire, schema_version: "asv.cues.v9" }, place)).toThrow("schema_version");
  });

  it("keeps its id when a person fills in the columns that are theirs", () => {
    const row = { ...onlyRow(), verdict: "state_damage" as const, note: "n", reviewer: "r" };
    expect(decodeCueRow(JSON.parse(JSON.stringify(encodeCueRow(row))), place)).toEqual(row);
  });

  it("takes a buffer that was cut inside a character", () => {
    const row = onlyRow({ ...input, buffers: { after: "cut \ud83d" } });
    expect(decodeCueRow(JSON.parse(JSON.stringify(encodeCueRow(row))), place).rowId).toBe(row.rowId);
  });
});

describe("verdicts", () => {
  const rows = [input, { ...input, gap: 1 }, { ...input, gap: 2 }].map(onlyRow);
  const [first, second, third] = rows as [CueRow, CueRow, CueRow];

  it("go out as CSV and come back, in any order and spelling", () => {
    const [header, ...lines] = parseCsv([...cueCsvLines(rows)].join(""), "out.csv").map(({ cells }) => cells);
    const column = (name: string) => header!.indexOf(name);
    expect(lines[0]![column("target_lost_in_state")]).toBe("fine; grains");
    expect(lines[0]![column("target_lost_in_buffer")]).toBe("seal; pores");
    expect(lines[0]![column("competitor_only_in_buffer")]).toBe("exchanges; salts");
    // "iron" is both candidates': it is in no list.
    expect(lines[0]!.join(" ")).not.toContain("iron;");
    const filled = `reviewer;verdict;note;row_id\r\nAda;Compression loss;=1;${third.rowId}\r\n;;;${first.rowId}\r\n;state-damage;;${second.rowId}\r\n`;
    const { judgements, blank } = readCueVerdicts(filled, "filled.csv");
    expect(judgements).toEqual([
      { rowId: third.rowId, verdict: "compression_loss", note: "=1", reviewer: "Ada" },
      { rowId: second.rowId, verdict: "state_damage" },
    ]);
    expect(blank).toEqual([first.rowId]);
    const { rows: judged, unjudged } = applyCueVerdicts(rows, judgements);
    expect(judged.map(({ verdict }) => verdict)).toEqual([undefined, "state_damage", "compression_loss"]);
    expect(unjudged).toBe(1);
    expect(judged[2]).toMatchObject({ note: "=1", reviewer: "Ada" });
  });

  it("come back from JSONL too, with the row checked", () => {
    const line = JSON.stringify({ ...encodeCueRow(first), verdict: "Cannot tell", note: " dim " });
    const text = `${line}\n\n${JSON.stringify(encodeCueRow(second))}\n`;
    expect(readCueVerdicts(text, "filled.jsonl")).toEqual({
      judgements: [{ rowId: first.rowId, verdict: "cannot_tell", note: "dim" }],
      blank: [second.rowId],
    });
    expect(() => readCueVerdicts(line.replace("salts", "sugar"), "filled.jsonl")).toThrow("filled.jsonl:1");
    expect(() => readCueVerdicts(`${line}\n{"a":`, "filled.jsonl")).toThrow("filled.jsonl:2");
    const numbered = JSON.stringify({ ...encodeCueRow(first), verdict: 3 });
    expect(() => readCueVerdicts(numbered, "filled.jsonl")).toThrow("must be a word");
  });

  it.each([
    ["row_id,verdict\ncue-1,guilty\n", "filled.csv:2: field verdict: must be one of compression_loss"],
    ["row,verdict\ncue-1,no_loss\n", "filled.csv:1: field row_id: is missing"],
    ["row_id,comment\ncue-1,no_loss\n", "field verdict: is missing"],
    ["row_id,verdict\n,no_loss\n", "filled.csv:2: field row_id: must not be empty"],
    ["row_id,verdict\ncue-1,no_loss\ncue-1,state_damage\n", "filled.csv:3"],
    ["", "filled.csv:1"],
  ])("refuses %j", (text, message) => {
    expect(() => readCueVerdicts(text, "filled.csv")).toThrow(message);
  });

  it("takes the same verdict twice, and a blank beside a given one", () => {
    const text = "row_id,verdict\ncue-1,no_loss\ncue-1,\ncue-1,no loss\n";
    expect(readCueVerdicts(text, "filled.csv")).toEqual({
      judgements: [{ rowId: "cue-1", verdict: "no_loss" }],
      blank: [],
    });
  });

  it("are not put on another list than they were made for, nor taken away by a blank", () => {
    expect(() => applyCueVerdicts([first], [{ rowId: second.rowId, verdict: "no_loss" }])).toThrow(
      "1 of 1 verdicts are for rows that the work list does not have",
    );
    const kept = applyCueVerdicts([{ ...first, verdict: "no_loss" }], []);
    expect(kept).toMatchObject({ rows: [{ verdict: "no_loss" }], unjudged: 0 });
  });
});

describe("summarizeCues", () => {
  it("counts verdicts over judged rows and own cues over all", () => {
    const judged = [{ ...onlyRow(), verdict: "compression_loss" as const }, onlyRow()];
    const summary = summarizeCues(judged);
    expect(summary).toMatchObject({ rows: 2, judged: 1 });
    expect(summary.verdicts[0]).toEqual({ verdict: "compression_loss", count: 1, rate: 1 });
    expect(summary.verdicts.slice(1).every(({ count, rate }) => count === 0 && rate === 0)).toBe(true);
    // Own cues of the target: the phrase, fine, grains, seal, pores. Two are in the after-state, none in its buffer.
    expect(summary.target).toEqual({
      inAfterState: 4,
      keptInBuffer: 0,
      lostInBuffer: 4,
      lostInState: 4,
      retention: 0,
    });
    expect(summary.competitor).toEqual({ newInState: 0, onlyInBuffer: 4 });
  });

  it("counts as brought in what the before-state had not, and not what was there already", () => {
    const states = [stateOf("It exchanges."), stateOf("It exchanges salts.")];
    const moved = fixtureTrajectory({
      question: "How does clay stop rust?",
      answers: ["Its fine grains seal pores in iron.", "It exchanges salts with iron.", "It keeps air away."],
      states,
    });
    // Own cues of the competitor: the phrase, exchanges (before and after) and salts (after alone).
    const { competitor: own } = summarizeCues([onlyRow({ trajectory: moved, step })]);
    const [row] = cueWorkList([{ trajectory: moved, step }]).rows;
    const cues = row!.cues.filter((cue) => cue.of === "competitor" && !cue.shared);
    const brought = cues.filter((cue) => cue.stateBefore === "absent" && cue.stateAfter !== "absent");
    expect(brought.map(({ text }) => text)).toEqual(["exchanges salts", "salts"]);
    expect(cues.some(({ text, stateBefore }) => text === "exchanges" && stateBefore === "verbatim")).toBe(
      true,
    );
    expect(own.newInState).toBe(2);
  });

  it("has no rate without a judged row, and no retention without a buffer", () => {
    const { verdicts, target: own } = summarizeCues([onlyRow({ trajectory, step })]);
    expect(verdicts[0]).toEqual({ verdict: "compression_loss", count: 0 });
    expect(own).not.toHaveProperty("retention");
    expect(summarizeCues([]).judged).toBe(0);
  });
});

describe("createBufferTexts", () => {
  it("keeps rationales by state, and nothing else", () => {
    const texts = createBufferTexts();
    const key = { taskId: "t", candidateSetSha256: "c", stateSha256: "s", protocolId: "rho-1" };
    texts.add({
      record: "rationale",
      ...key,
      text: "a text",
      flags: [],
      coverage: 1,
      promptSha256: "p",
    });
    texts.add({ record: "protocol", protocolId: "rho-1", name: "n", protocol: {} });
    expect(texts.find("rho-1", "t", "c", "s")).toBe("a text");
    expect(texts.find("rho-2", "t", "c", "s")).toBeUndefined();
  });
});
