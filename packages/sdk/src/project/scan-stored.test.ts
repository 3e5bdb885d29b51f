import { describe, expect, test } from "vitest";
import { sharedFile } from "../testing/shared-data.ts";
import { readFileSync } from "node:fs";
import { projectState, scanStored, scanTrajectoryRecord } from "./index.ts";

const KEY = `ghp_${"abcdefghijklmnopqrstuvwxyz0123456789"}`;

const trajectory = {
  schema_version: "asv.v1",
  trajectory_id: "t1",
  run_id: "r1",
  created_at: "2026-01-01T00:00:00Z",
  success: true,
  final_score: 1,
  metadata: { note: "n" },
  task: {
    question: "q",
    candidate_space: { gold_candidate_id: "c1", candidates: [{ id: "c1", label: "A", text: "a" }] },
  },
  steps: [
    {
      step_id: "s1",
      label: "useful",
      action: { type: "search" },
      observation: { text: "o" },
      state_after: { draft: "d" },
    },
  ],
};

describe("scanTrajectoryRecord", () => {
  test("a record's own gold, label, outcome, ids and times are no hits", () => {
    expect(scanTrajectoryRecord(trajectory)).toEqual([]);
  });
  test.each<[string, object, object]>([
    [
      "gold in a state",
      { state_after: { deep: [{ gold_answer: "B" }] } },
      { path: "steps[0].state_after.deep[0].gold_answer", rule: "key-answer", count: 1 },
    ],
    [
      "label in an observation",
      { observation: { label: "A" } },
      { path: "steps[0].observation.label", rule: "key-label", count: 1 },
    ],
    [
      "run id in an action",
      { action: { run_id: "r" } },
      { path: "steps[0].action.run_id", rule: "key-identifier", count: 1 },
    ],
    [
      "a token in a block",
      { state_before: { blocks: [{ kind: "task", text: `${KEY} ${KEY}` }] } },
      { path: "steps[0].state_before.blocks[0].text", rule: "github-token", count: 2 },
    ],
    [
      "gold in what Python printed",
      { observation: { text: "Answer(text='x', meta={'gold_answer': 'B'})" } },
      { path: "steps[0].observation.text", rule: "key-answer", count: 1 },
    ],
    [
      "gold in JSON inside a text",
      { observation: { text: '{"gold_answer":"B"}' } },
      { path: "steps[0].observation.text", rule: "key-answer", count: 1 },
    ],
    [
      "a credential outside the states",
      { quality_flags: { api_key: "x1" } },
      { path: "steps[0].quality_flags.api_key", rule: "key-credential", count: 1 },
    ],
    [
      "a credential beside its name",
      { cost: [{ name: "Authorization", value: "abc" }] },
      { path: "steps[0].cost[0].value", rule: "key-credential", count: 1 },
    ],
  ])("%s", (_, step, hit) => {
    expect(scanTrajectoryRecord({ ...trajectory, steps: [step] })).toEqual([hit]);
  });
  test("a live record: the step's states are searched", () => {
    const record = {
      schema_version: "asv.v1",
      record: "step",
      run_id: "r",
      step: { state_after: { success: true } },
    };
    expect(scanTrajectoryRecord(record)).toEqual([
      { path: "step.state_after.success", rule: "key-success", count: 1 },
    ]);
  });
  test("secrets in metadata, in keys, and anywhere else", () => {
    const hits = scanTrajectoryRecord({
      metadata: { [KEY]: [`password=hunter2`] },
      x: { [`a.b ${KEY}`]: 1 },
    });
    expect(hits).toEqual([
      { path: 'metadata["[SECRET:github-token:1]"]', rule: "github-token", count: 1 },
      { path: 'metadata["[SECRET:github-token:1]"][0]', rule: "assignment", count: 1 },
      { path: 'x["a.b [SECRET:github-token:1]"]', rule: "github-token", count: 1 },
    ]);
    expect(JSON.stringify(hits)).not.toContain(KEY.slice(0, 8));
  });
});

describe("scanStored", () => {
  test("searches any value with all rules, and a text that is no JSON", () => {
    expect(scanStored({ success: true, a: [{ gold: 1 }] })).toEqual([
      { path: "success", rule: "key-success", count: 1 },
      { path: "a[0].gold", rule: "key-answer", count: 1 },
    ]);
    expect(scanStored(`{"torn": "${KEY}`)).toEqual([{ path: "", rule: "github-token", count: 1 }]);
  });
  test.each([null, 1, true, "", [], {}])("finds nothing in %j", (value) =>
    expect(scanStored(value)).toEqual([]),
  );
  const own = { schema_version: "asv.scores.v1" };
  test.each<object>([
    { ...own, record: "protocol", protocol: { evaluator: { top_logprobs: 20, model: "m" } } },
    { ...own, record: "score", run_id: "r1", top_logprobs: [{ token: "A", logprob: -0.1 }], label: "A" },
    { ...own, record: "unscored", run_id: "r1", label: "A", created_at: "2026-01-01T00:00:00Z" },
    { schema_version: "asv.candidates.v1", record: "gold", gold_candidate_id: "c1" },
    { ...own, record: "rationale", run_id: "r1", text: "the gold standard is biopsy" },
    trajectory,
  ])("a record of this toolkit keeps its own fields: %j", (record) => expect(scanStored(record)).toEqual([]));
  test("secrets in such a record hit, and whatever an evaluator was shown", () => {
    expect(scanStored({ ...own, record: "score", raw: { note: KEY, api_key: "abc" } })).toEqual([
      { path: "raw.api_key", rule: "key-credential", count: 1 },
      { path: "raw.note", rule: "github-token", count: 1 },
    ]);
    expect(scanStored({ ...own, record: "rationale", text: '{"gold_answer":"B"}' })).toEqual([
      { path: "text", rule: "key-answer", count: 1 },
    ]);
    expect(scanStored({ ...own, record: "score", top_logprobs: [{ token: KEY, logprob: -1 }] })).toEqual([
      { path: "top_logprobs[0].token", rule: "github-token", count: 1 },
    ]);
    expect(scanStored({ ...own, record: "score", text: '{"gold_answer":"B"}' })).toEqual([]);
  });
  test("what only looks like a record keeps every rule", () => {
    expect(scanStored({ schema_version: "v1", top_logprobs: 5 })).toHaveLength(1);
    expect(scanStored({ schema_version: 1, top_logprobs: 5 })).toHaveLength(1);
    expect(scanStored({ top_logprobs: 5 })).toHaveLength(1);
  });
  test("placeholders and masks are no hits", () => {
    expect(
      scanStored({
        password: "[SECRET:assignment:1]",
        api_key: "***",
        token: "[REDACTED]",
        text: "password=[SECRET:assignment:2]",
      }),
    ).toEqual([]);
  });
  test("what was projected has no hits", () => {
    const { state } = projectState({
      a: `password=hunter2 ${KEY}`,
      gold: 1,
      b: { label: "A", json: '{"success":true}' },
    });
    expect(scanStored(state)).toEqual([]);
  });
  test("personal data when asked", () => {
    expect(scanStored({ a: "ann@example.org" })).toEqual([]);
    expect(scanStored({ a: "ann@example.org" }, { policy: { personalData: true } })).toEqual([
      { path: "a", rule: "email", count: 1 },
    ]);
  });
  test("is not stopped by a deep or long record", () => {
    let deep: unknown = KEY;
    for (let i = 0; i < 5000; i += 1) deep = [deep];
    expect(scanStored(deep)).toHaveLength(1);
  });
});

const sample = sharedFile("reference/sample_trajectories.jsonl");
test.skipIf(sample === undefined)("a trajectory of the Python toolkit has no hits", () => {
  const lines = readFileSync(sample ?? "", "utf8")
    .split("\n")
    .filter((line) => line !== "");
  expect(lines.length).toBeGreaterThan(0);
  for (const line of lines) expect(scanTrajectoryRecord(JSON.parse(line))).toEqual([]);
});
