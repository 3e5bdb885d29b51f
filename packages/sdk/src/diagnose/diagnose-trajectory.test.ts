import { describe, expect, it } from "vitest";
import {
  candidateSetSha256,
  stateSha256,
  TRAJECTORY_SCHEMA,
  type ByCandidate,
  type QualityFlag,
  type ScoreRecord,
  type State,
  type Step,
  type Trajectory,
} from "../schema/index.ts";
import { diagnoseTrajectory } from "./diagnose-trajectory.ts";
import { createScoreIndex, type ScoreIndex } from "./score-index.ts";

const candidates = [
  { id: "cand-1", text: "yes" },
  { id: "cand-2", text: "no" },
];
const setSha256 = candidateSetSha256("Is it?", candidates);
const states: State[] = [{ note: "start" }, { note: "middle" }, { note: "end" }];

function step(index: number, changes: Partial<Step> = {}): Step {
  return {
    stepId: `s${index}`,
    index,
    action: { type: "retrieve" },
    observation: {},
    stateBefore: states[index]!,
    stateAfter: states[index + 1]!,
    cost: {},
    qualityFlags: {},
    ...changes,
  };
}

function trajectory(steps: Step[], changes: Partial<Trajectory> = {}): Trajectory {
  return {
    schemaVersion: TRAJECTORY_SCHEMA,
    trajectoryId: "t1",
    sourceAdapter: "test",
    metadata: {},
    task: {
      taskId: "task-1",
      question: "Is it?",
      taskType: "closed_set_qa",
      goldVisibleToEvaluator: false,
      goldUsedOnlyForValidation: true,
      candidateSpace: { type: "closed_set", candidates, goldCandidateId: "cand-1", frozenSha256: setSha256 },
    },
    steps,
    ...changes,
  };
}

function score(
  state: State,
  mapping: number,
  scores: ByCandidate,
  changes: Partial<ScoreRecord> = {},
): ScoreRecord {
  return {
    record: "score",
    taskId: "task-1",
    candidateSetSha256: setSha256,
    stateSha256: stateSha256(state),
    protocolId: "rho-1",
    evaluator: { kind: "scripted", model: "m" },
    mapping: { design: "balanced", index: mapping, order: ["cand-1", "cand-2"] },
    scores,
    floored: [],
    flags: [],
    ...changes,
  };
}

/** Both mappings of all three states; the target gains 1 in each step under mapping 0, 3 under mapping 1. */
function fullIndex(): ScoreIndex {
  const index = createScoreIndex();
  states.forEach((state, i) => {
    index.add(score(state, 1, { "cand-1": 3 * i, "cand-2": 0 }));
    index.add(score(state, 0, { "cand-1": i, "cand-2": 0 }));
  });
  return index;
}

describe("diagnoseTrajectory on stored scores", () => {
  it("joins states by digest and averages over the mappings", () => {
    const [first, second] = diagnoseTrajectory(trajectory([step(0), step(1)]), fullIndex());
    expect(first).toMatchObject({
      trajectoryId: "t1",
      stepId: "s0",
      index: 0,
      action: "retrieve",
      protocolId: "rho-1",
      evaluatorKind: "scripted",
    });
    expect(first!.flags).toEqual(["degenerate_distribution"]);
    expect(first!.diagnostics!.marginGain).toBe(2);
    expect(first!.diagnostics!.layoutSpread).toBe(2);
    expect(second!.diagnostics!.marginGain).toBe(2);
    expect(second!.flags).toEqual([]);
  });

  it("never averages over unequal sets of mappings", () => {
    const index = createScoreIndex();
    for (let b = 0; b < 4; b++) index.add(score(states[0]!, b, { "cand-1": 0, "cand-2": -1 }));
    for (let b = 0; b < 3; b++) index.add(score(states[1]!, b, { "cand-1": 0, "cand-2": -1 }));
    const [found] = diagnoseTrajectory(trajectory([step(0)]), index);
    expect(found!.diagnostics).toBeUndefined();
    expect(found!.flags).toEqual(["unscored"]);
    expect(found!.evaluatorKind).toBe("scripted");
  });

  it("takes equal but incomplete sets as unscored where the number of mappings is known", () => {
    const protocol = { mappings: { design: "balanced", count: 4 } };
    const one = fullIndex();
    one.add({ record: "protocol", protocolId: "rho-1", name: "direct", protocol });
    expect(diagnoseTrajectory(trajectory([step(0)]), one)[0]!.flags).toEqual(["unscored"]);
    const other = fullIndex();
    const mapping = { design: "balanced" as const, index: 2, order: [] };
    const { taskId, candidateSetSha256: set, stateSha256: state, protocolId } = score(states[0]!, 2, {});
    other.add({
      record: "unscored",
      taskId,
      candidateSetSha256: set,
      stateSha256: state,
      protocolId,
      mapping,
      reason: "refused",
    });
    expect(diagnoseTrajectory(trajectory([step(0)]), other)[0]!.flags).toEqual(["unscored"]);
    const after = fullIndex();
    after.add({
      record: "unscored",
      taskId,
      candidateSetSha256: set,
      stateSha256: stateSha256(states[1]!),
      protocolId,
      mapping,
      reason: "refused",
    });
    expect(diagnoseTrajectory(trajectory([step(0)]), after)[0]!.flags).toEqual(["unscored"]);
    other.add(score(states[0]!, 2, { "cand-1": 0, "cand-2": 0 }));
    other.add(score(states[1]!, 2, { "cand-1": 0, "cand-2": 0 }));
    expect(diagnoseTrajectory(trajectory([step(0)]), other)[0]!.diagnostics).toBeDefined();
  });

  it("says no_state where a state is missing and unscored where its score is", () => {
    const { stateAfter: _, ...open } = step(0);
    const index = createScoreIndex();
    index.add(score(states[0]!, 0, { "cand-1": 0, "cand-2": -1 }));
    const found = diagnoseTrajectory(trajectory([open, step(1)]), index);
    expect(found.map(({ flags }) => flags)).toEqual([["no_state"], ["unscored"]]);
    expect(found.every(({ diagnostics }) => diagnostics === undefined)).toBe(true);
  });

  it("does not take the score of another task, candidate set or protocol", () => {
    for (const change of [{ taskId: "task-2" }, { candidateSetSha256: "0".repeat(64) }]) {
      const index = createScoreIndex();
      for (const state of states) index.add(score(state, 0, { "cand-1": 0, "cand-2": -1 }, change));
      expect(diagnoseTrajectory(trajectory([step(0)]), index)[0]!.flags).toEqual(["unscored"]);
    }
    const found = diagnoseTrajectory(trajectory([step(0)]), fullIndex(), { protocolId: "rho-2" });
    expect(found[0]).toMatchObject({ protocolId: "rho-2", evaluatorKind: "unknown", flags: ["unscored"] });
  });

  it("asks which protocol when the index holds several or none", () => {
    const index = fullIndex();
    index.add(score(states[0]!, 0, { "cand-1": 0, "cand-2": 0 }, { protocolId: "rho-2" }));
    expect(() => diagnoseTrajectory(trajectory([step(0)]), index)).toThrow("rho-1, rho-2");
    expect(() => diagnoseTrajectory(trajectory([step(0)]), createScoreIndex())).toThrow("no protocol");
  });

  it("carries flags of scores, rationale and recording", () => {
    const index = createScoreIndex();
    const flagged: Partial<ScoreRecord> = {
      flags: ["floor", "low_label_mass"],
      floored: ["cand-2"],
      floorBound: -9,
    };
    index.add(score(states[0]!, 0, { "cand-1": 0, "cand-2": -20 }, flagged));
    const cut: State = { blocks: [], truncated: { chars: 10, blocks: 1 } };
    index.add(score(cut, 0, { "cand-1": 0, "cand-2": -1 }));
    index.add({
      record: "rationale",
      taskId: "task-1",
      candidateSetSha256: setSha256,
      stateSha256: stateSha256(cut),
      protocolId: "rho-1",
      text: "",
      flags: ["empty_rationale"],
      coverage: 0,
      promptSha256: "0",
    });
    const odd = step(0, { stateAfter: cut, discontinuity: true });
    const partial = trajectory([odd], { status: "partial" });
    delete partial.task.candidateSpace.frozenSha256;
    const [found] = diagnoseTrajectory(partial, index);
    const expected: QualityFlag[] = [
      "floor",
      "low_label_mass",
      "empty_rationale",
      "unreviewed_candidates",
      "discontinuity",
      "state_truncated",
      "partial_trajectory",
    ];
    expect([...found!.flags].toSorted()).toEqual(expected.toSorted());
    expect(found!.diagnostics!.floorInterval).toEqual({ high: -8 });
  });

  it("gives the temperature probe only when asked", () => {
    const [plain] = diagnoseTrajectory(trajectory([step(1)]), fullIndex());
    const [probed] = diagnoseTrajectory(trajectory([step(1)]), fullIndex(), { temperatures: [1, 5] });
    expect(plain).not.toHaveProperty("temperatureProbe");
    expect(probed!.temperatureProbe!.map(({ tau }) => tau)).toEqual([1, 5]);
    expect(probed!.temperatureProbe![0]!.entropyMovement).toBeCloseTo(
      probed!.diagnostics!.entropyMovement,
      14,
    );
  });
});

describe("diagnoseTrajectory on provided numbers", () => {
  const raw = {
    rawScoresBefore: { "cand-1": -1, "cand-2": 0 },
    rawScoresAfter: { "cand-1": 0, "cand-2": -1 },
  };

  it("reads log scores stored in the trajectory, and the evaluator flags stored beside them", () => {
    const qualityFlags = {
      used_floor_score: true,
      rationale_gold_leakage: true,
      rationale_label_leakage: false,
    };
    const [found] = diagnoseTrajectory(trajectory([step(0, { ...raw, qualityFlags })]), "provided");
    expect(found).toMatchObject({ protocolId: "provided", evaluatorKind: "provided" });
    expect(found!.flags).toEqual(["provided_belief", "floor", "gold_leak"]);
    expect(found!.diagnostics!.marginGain).toBe(2);
    expect(found!.diagnostics!.repair).toBe(true);
  });

  it("falls back to beliefs and leaves the margins out", () => {
    const beliefs = {
      beliefBefore: { "cand-1": 0.5, "cand-2": 0.5 },
      beliefAfter: { "cand-1": 1, "cand-2": 0 },
    };
    const [found] = diagnoseTrajectory(trajectory([step(0, beliefs)]), "provided");
    expect(found!.flags).toEqual(["provided_belief", "no_log_scores"]);
    expect(found!.diagnostics!.marginGain).toBeUndefined();
    expect(found!.diagnostics!.entropyMovement).toBeCloseTo(Math.LN2, 15);
  });

  it("is unscored with numbers on one side only, or over other candidates", () => {
    const oneSide = step(0, { rawScoresBefore: raw.rawScoresBefore });
    const others = step(1, { ...raw, rawScoresAfter: { "cand-1": 0, other: -1 } });
    const part = step(0, { rawScoresBefore: { "cand-1": 0 }, rawScoresAfter: { "cand-1": 1 } });
    for (const found of diagnoseTrajectory(trajectory([oneSide, others, part]), "provided")) {
      expect(found.flags).toEqual(["provided_belief", "unscored"]);
      expect(found.diagnostics).toBeUndefined();
    }
  });

  it("says no_target on both kinds when no target is known", () => {
    const beliefs = {
      beliefBefore: { "cand-1": 0.5, "cand-2": 0.5 },
      beliefAfter: { "cand-1": 1, "cand-2": 0 },
    };
    const open = trajectory([step(0, raw), step(1, beliefs)]);
    delete open.task.candidateSpace.goldCandidateId;
    const found = diagnoseTrajectory(open, "provided");
    expect(found.map(({ flags }) => flags.includes("no_target"))).toEqual([true, true]);
    expect(found.map(({ diagnostics }) => diagnostics!.marginGain)).toEqual([undefined, undefined]);
  });

  it("takes a candidate set that was changed after its review as unreviewed", () => {
    const changed = trajectory([step(0, raw)]);
    changed.task.question = "Is it not?";
    expect(diagnoseTrajectory(changed, "provided")[0]!.flags).toEqual([
      "provided_belief",
      "unreviewed_candidates",
    ]);
  });

  it("copies the human label and names a step type that is missing", () => {
    const steps = [step(0, { action: {}, label: "mistake" }), step(1, { action: { type: "" } })];
    const found = diagnoseTrajectory(trajectory(steps), "provided");
    expect(found.map(({ action, label }) => [action, label])).toEqual([
      ["unknown", "mistake"],
      ["", undefined],
    ]);
  });
});

describe("what a diagnosed step carries along", () => {
  const scored = (): ScoreIndex => {
    const index = createScoreIndex();
    for (const state of states) index.add(score(state, 0, { "cand-1": -1, "cand-2": -2 }));
    return index;
  };

  it("is the identity of its transition: candidates, target and both states", () => {
    const [first] = diagnoseTrajectory(trajectory([step(0)]), scored());
    expect(first!.transition).toEqual({
      candidateSetSha256: setSha256,
      targetId: "cand-1",
      stateBeforeSha256: stateSha256(states[0]!),
      stateAfterSha256: stateSha256(states[1]!),
    });
  });

  it("leaves digests out with stored scores, where hashing is not free, unless asked", () => {
    const stored = step(0, {
      rawScoresBefore: { "cand-1": 0, "cand-2": -1 },
      rawScoresAfter: { "cand-1": 0, "cand-2": -2 },
    });
    const [plain] = diagnoseTrajectory(trajectory([stored]), "provided");
    expect(plain!.transition).toEqual({ targetId: "cand-1" });
    const [hashed] = diagnoseTrajectory(trajectory([stored]), "provided", { digests: true });
    expect(hashed!.transition).toMatchObject({
      candidateSetSha256: setSha256,
      stateAfterSha256: stateSha256(states[1]!),
    });
  });

  it("says nothing of a state or a target that is not there", () => {
    const { stateAfter: _stateAfter, ...half } = step(0);
    const run = trajectory([half]);
    const { goldCandidateId: _target, ...space } = run.task.candidateSpace;
    const [found] = diagnoseTrajectory({ ...run, task: { ...run.task, candidateSpace: space } }, scored());
    expect(found!.transition).not.toHaveProperty("targetId");
    expect(found!.transition).not.toHaveProperty("stateAfterSha256");
  });

  it("are the probes that were asked for, and no others", () => {
    const [bare] = diagnoseTrajectory(trajectory([step(0)]), scored());
    for (const probe of ["temperatureProbe", "surpriseProbe", "floorSensitivity"]) {
      expect(bare).not.toHaveProperty(probe);
    }
    const options = { temperatures: [5], epsilons: [1e-4], floors: [-10] };
    const [probed] = diagnoseTrajectory(trajectory([step(0)]), scored(), options);
    expect(probed!.temperatureProbe).toHaveLength(1);
    expect(probed!.surpriseProbe).toEqual([{ epsilon: 1e-4, surprise: 0 }]);
    // No label was missing: no floor to be sensitive to.
    expect(probed).not.toHaveProperty("floorSensitivity");
  });

  it("reads floors of floored steps and surprise of steps with beliefs alone", () => {
    const index = createScoreIndex();
    index.add(score(states[0]!, 0, { "cand-1": -1, "cand-2": -2 }));
    index.add(score(states[1]!, 0, { "cand-1": -1, "cand-2": -20 }, { floored: ["cand-2"] }));
    const [floored] = diagnoseTrajectory(trajectory([step(0)]), index, { floors: [-30] });
    expect(floored!.floorSensitivity).toEqual([{ floor: -30, marginGain: 28 }]);
    const believed = step(0, {
      beliefBefore: { "cand-1": 0.5, "cand-2": 0.5 },
      beliefAfter: { "cand-1": 1, "cand-2": 0 },
    });
    const [read] = diagnoseTrajectory(trajectory([believed]), "provided", { epsilons: [1e-6] });
    expect(read!.surpriseProbe![0]!.surprise).toBe(read!.diagnostics!.surprise);
  });
});
