import { describe, expect, it } from "vitest";
import { createScoreIndex } from "../../diagnose/index.ts";
import {
  candidateSetSha256,
  stateSha256,
  type ScoreRecord,
  type State,
  type Trajectory,
} from "../../schema/index.ts";
import { scoredTrajectories } from "./scored-trajectories.ts";
import { asvEvalRows } from "./step-row.ts";

const candidates = [
  { id: "a", text: "yes" },
  { id: "b", text: "no" },
];
const states: State[] = [{ n: 0 }, { n: 1 }, { n: 2 }];
const trajectory: Trajectory = {
  schemaVersion: "asv.v1",
  trajectoryId: "t",
  sourceAdapter: "test",
  metadata: { kept: true },
  task: {
    taskId: "task",
    question: "q",
    taskType: "closed_set_qa",
    goldVisibleToEvaluator: false,
    goldUsedOnlyForValidation: true,
    candidateSpace: { type: "closed_set", candidates, goldCandidateId: "a" },
  },
  steps: [0, 1].map((index) => ({
    stepId: `s${index}`,
    index,
    action: {},
    observation: {},
    stateBefore: states[index]!,
    stateAfter: states[index + 1]!,
    rawScoresBefore: { a: 9, b: 9 },
    rawScoresAfter: { a: 9, b: 9 },
    cost: {},
    qualityFlags: {},
  })),
};

function score(state: State, mapping: number, a: number, floored: string[] = []): ScoreRecord {
  return {
    record: "score",
    taskId: "task",
    candidateSetSha256: candidateSetSha256("q", candidates),
    stateSha256: stateSha256(state),
    protocolId: "rho",
    evaluator: { kind: "scripted", model: "m" },
    mapping: { design: "balanced", index: mapping, order: [] },
    scores: { a, b: 0 },
    floored,
    flags: floored.length > 0 ? ["floor"] : [],
  };
}

describe("scoredTrajectories", () => {
  it("writes scores, beliefs and flags in place under one mapping", () => {
    const index = createScoreIndex();
    states.forEach((state, i) => index.add(score(state, 0, i, i === 2 ? ["b"] : [])));
    const [only, ...rest] = scoredTrajectories(trajectory, index, "rho");
    expect(rest).toEqual([]);
    expect(only!.trajectoryId).toBe("t");
    expect(only!.steps[0]!.rawScoresAfter).toEqual({ a: 1, b: 0 });
    expect(only!.steps[0]!.beliefAfter!.a).toBeCloseTo(1 / (1 + Math.exp(-1)), 15);
    expect(only!.steps[0]!.qualityFlags).toMatchObject({
      evaluator_mode: "scripted",
      used_floor_score: false,
    });
    expect(only!.steps[1]!.qualityFlags).toMatchObject({ missing_labels: ["b"], used_floor_score: true });
    expect(asvEvalRows(only!).map(({ gold_metrics }) => gold_metrics.gold_margin_gain)).toEqual([1, 1]);
  });

  it("makes one trajectory a mapping, and no stale number survives where a score is missing", () => {
    const index = createScoreIndex();
    states.forEach((state, i) => index.add(score(state, 0, i)));
    states.slice(0, 2).forEach((state, i) => index.add(score(state, 3, 2 * i)));
    const found = scoredTrajectories(trajectory, index, "rho");
    expect(found.map(({ trajectoryId }) => trajectoryId)).toEqual(["t-permutation-0", "t-permutation-3"]);
    expect(found[1]!.metadata).toEqual({ kept: true, source_trajectory_id: "t", label_permutation_index: 3 });
    expect(asvEvalRows(found[1]!).map(({ step_id }) => step_id)).toEqual(["s0"]);
    expect(found[1]!.steps[1]).not.toHaveProperty("rawScoresBefore");
  });
});
