import { describe, expect, it } from "vitest";
import type { JsonObject } from "../json.ts";
import { decodeLiveRecord, encodeLiveRecord, isLiveRecord } from "./live-codec.ts";

const place = { source: "live.jsonl", line: 3 };
const sha = "0a".repeat(32);
const task = {
  task_id: "q1",
  question: "q",
  task_type: "closed_set_qa",
  gold_visible_to_evaluator: false,
  gold_used_only_for_validation: true,
  candidate_space: { type: "closed_set", candidates: [{ id: "c1", text: "yes", x: 1 }], y: 2 },
};
const records: JsonObject[] = [
  {
    schema_version: "asv.v1",
    record: "open",
    trajectory_id: "t",
    source_adapter: "a",
    created_at: "2026-01-01T00:00:00Z",
    run_id: "r",
    metadata: { m: [1] },
    task,
    unknown: { deep: [null] },
  },
  {
    schema_version: "asv.v1",
    record: "step",
    trajectory_id: "t",
    step_id: "s",
    index: 4,
    action: { type: "think" },
    observation: {},
    state_before: { a: 1 },
    state_after: { b: 1 },
    cost: {},
    quality_flags: {},
    discontinuity: true,
    before_sha256: sha,
    after_sha256: sha,
    redaction: { policy: "p", version: "1", hits: { rule: 2 }, z: 0 },
    unknown: 7,
  },
  {
    schema_version: "asv.v1",
    record: "close",
    trajectory_id: "t",
    status: "done",
    final_score: 0,
    success: false,
    unknown: "u",
  },
];

describe("live records", () => {
  it.each(records)("$record survives a read-write round trip byte for byte", (json) => {
    expect(isLiveRecord(json)).toBe(true);
    expect(JSON.stringify(encodeLiveRecord(decodeLiveRecord(json, place)))).toBe(JSON.stringify(json));
  });

  it("a step holds its fields apart from the record's", () => {
    const { step, ...record } = decodeLiveRecord(records[1], place) as never as { step: JsonObject };
    expect(record).toEqual({
      record: "step",
      trajectoryId: "t",
      beforeSha256: sha,
      afterSha256: sha,
      redaction: { policy: "p", version: "1", hits: { rule: 2 }, extra: { z: 0 } },
    });
    expect(step).toMatchObject({ stepId: "s", index: 4, discontinuity: true, extra: { unknown: 7 } });
  });

  it.each<[string, number, JsonObject, string]>([
    ["another kind", 0, { record: "pause" }, "record"],
    ["a digest that is none", 1, { before_sha256: "sha256:00" }, "before_sha256"],
    ["a text step", 1, { state_after: "x" }, "state_after"],
    ["a close without status", 2, { status: null }, "status"],
    ["a task without question", 0, { task: { ...task, question: null } }, "task.question"],
  ])("refuses %s", (_, at, change, path) => {
    const json = { ...records[at]!, ...change };
    expect(() => decodeLiveRecord(json, place)).toThrow(
      expect.objectContaining({ code: "invalid_record", fields: { source: "live.jsonl", line: 3, path } }),
    );
  });

  it("are told from everything else", () => {
    expect([null, [], {}, { record: "score" }, "open"].some(isLiveRecord)).toBe(false);
  });
});
