import { describe, expect, it } from "vitest";
import { fixtureTrajectory } from "../testing/index.ts";
import {
  attachCandidates,
  candidateSetRecord,
  checkFrozen,
  freezeCandidates,
  indexCandidateSets,
  newCandidateSet,
} from "./index.ts";

const question = "Is the bridge closed?";
const bare = (taskId: string, asked = question) => {
  const trajectory = fixtureTrajectory({ taskId, question: asked, frozen: false });
  return {
    ...trajectory,
    task: { ...trajectory.task, candidateSpace: { type: "candidate_set", candidates: [] } },
  };
};
const frozen = freezeCandidates(
  newCandidateSet("closed", { answers: ["Yes.", "No."], target: 1 }),
  question,
  {
    reviewer: "R. Stone",
  },
);

describe("attachCandidates", () => {
  it("gives a task its frozen set and, apart from it, its target", () => {
    const record = candidateSetRecord("t1", question, frozen);
    expect(JSON.stringify(record)).not.toContain("gold");
    const attached = attachCandidates(bare("t1"), record, "cand-2");
    expect(attached.task.candidateSpace).toEqual(frozen);
    expect(checkFrozen(attached.task.candidateSpace, question).frozen).toBe(true);
    expect(attachCandidates(bare("t1"), record).task.candidateSpace.goldCandidateId).toBeUndefined();
  });

  it("takes the set's question where the trajectory has none, by task id only", () => {
    const record = candidateSetRecord("t1", question, frozen);
    expect(attachCandidates(bare("t1", ""), record).task.question).toBe(question);
    expect(() => attachCandidates(bare("t2", ""), record)).toThrow(/set\.question/);
  });

  it("refuses another question, a changed frozen set, and a target that is no candidate", () => {
    const record = candidateSetRecord("t1", question, frozen);
    expect(() => attachCandidates(bare("t1", "Is it open?"), record)).toThrow(/set\.question/);
    expect(() => attachCandidates(bare("t1"), record, "cand-3")).toThrow(/gold/);
    const changed = structuredClone(record);
    changed.candidates[0]!.text = "Perhaps.";
    expect(() => attachCandidates(bare("t1"), changed)).toThrow(
      /changed after the set was frozen.*Freeze it again/,
    );
  });
});

describe("indexCandidateSets", () => {
  it("finds by task id first, then by question", () => {
    const mine = candidateSetRecord("t1", question, frozen);
    const theirs = { ...candidateSetRecord("t2", "Another?", frozen) };
    const index = indexCandidateSets([mine, theirs]);
    expect(index.find({ taskId: "t2", question })).toBe(theirs);
    expect(index.find({ taskId: "t9", question })).toBe(mine);
    expect(index.find({ taskId: "t9", question: "Unknown?" })).toBeUndefined();
  });

  it("refuses two sets of one task, and a question that several sets have", () => {
    const mine = candidateSetRecord("t1", question, frozen);
    expect(() => indexCandidateSets([mine, mine])).toThrow(/one set a task id/);
    const index = indexCandidateSets([mine, { ...mine, taskId: "t2" }]);
    expect(() => index.find({ taskId: "t9", question })).toThrow(/one set a question/);
  });
});
