import { describe, expect, it } from "vitest";
import type { Trajectory } from "../../schema/index.ts";
import { applyBeliefFixture, decodeBeliefFixtureRow } from "./belief-fixture.ts";

const place = { source: "beliefs.jsonl", line: 3 };
const row = {
  trajectory_id: "t",
  step_id: "s1",
  belief_before: { a: 0.5, b: 0.5 },
  belief_after: { a: 1, b: 0 },
};

function trajectory(): Trajectory {
  const step = { action: {}, observation: {}, cost: {}, qualityFlags: {}, rawScoresBefore: { a: 0, b: 0 } };
  return {
    schemaVersion: "asv.v1",
    trajectoryId: "t",
    sourceAdapter: "test",
    metadata: {},
    task: {
      taskId: "t",
      question: "q",
      taskType: "closed_set_qa",
      goldVisibleToEvaluator: false,
      goldUsedOnlyForValidation: true,
      candidateSpace: { type: "closed_set", candidates: [] },
    },
    steps: [
      { ...step, stepId: "s1", index: 0 },
      { ...step, stepId: "s2", index: 1 },
    ],
  };
}

describe("applyBeliefFixture", () => {
  it("joins on trajectory and step, drops the stale raw scores, and says what it did not find", () => {
    const other = { ...row, trajectory_id: "u", step_id: "s2" };
    const rows = [row, other].map((json) => decodeBeliefFixtureRow(json, place));
    const before = trajectory();
    const { trajectory: after, missingSteps } = applyBeliefFixture(before, rows);
    expect(after.steps[0]).toMatchObject({ beliefBefore: row.belief_before, beliefAfter: row.belief_after });
    expect(after.steps[0]).not.toHaveProperty("rawScoresBefore");
    expect(after.steps[1]).toBe(before.steps[1]);
    expect(missingSteps).toEqual(["s2"]);
    expect(before).toEqual(trajectory());
  });
});

describe("decodeBeliefFixtureRow", () => {
  it.each([
    [[], "must be a JSON object"],
    [{ ...row, step_id: 4 }, "beliefs.jsonl:3: field step_id"],
    [{ ...row, belief_after: null }, "field belief_after"],
    [{ ...row, belief_before: { a: "1" } }, "field belief_before.a"],
  ])("refuses %o", (json, message) => {
    expect(() => decodeBeliefFixtureRow(json, place)).toThrow(message);
  });
});
