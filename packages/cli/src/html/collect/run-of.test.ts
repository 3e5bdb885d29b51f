import { diagnoseTrajectory, type State, type Trajectory } from "@agent-step-value/sdk";
import { fixtureTrajectory } from "@agent-step-value/sdk/testing";
import { describe, expect, it } from "vitest";
import { runOf } from "./run-of.ts";

const secret = `ghp_${"a1B2".repeat(9)}`;

function measured(trajectory: Trajectory) {
  return { trajectory, steps: diagnoseTrajectory(trajectory, "provided"), others: [] };
}

describe("runOf", () => {
  it("takes secrets out of every text before it is kept: states, question, candidates, arguments, labels", () => {
    const base = fixtureTrajectory();
    const state: State = { evidence: `the key is ${secret}`, api_key: secret };
    const trajectory: Trajectory = {
      ...base,
      task: {
        ...base.task,
        question: `what opens with ${secret}?`,
        candidateSpace: {
          ...base.task.candidateSpace,
          candidates: base.task.candidateSpace.candidates.map((candidate) => ({
            ...candidate,
            text: `${candidate.text} ${secret}`,
          })),
        },
      },
      steps: [
        {
          ...base.steps[0]!,
          action: { type: "search", query: `find ${secret}` },
          label: "wrong",
          labelSource: "expert",
          extra: { label_note: `it leaks ${secret}` },
          stateBefore: state,
          stateAfter: { evidence: secret },
        },
      ],
    };
    const run = runOf(measured(trajectory), 0);
    expect(JSON.stringify(run)).not.toContain(secret);
    expect(JSON.stringify(run)).toContain("[SECRET:");
    expect(run.steps[0]!.action).toContain("find [SECRET:");
  });

  it("says what changed between steps where the chain breaks, and only there", () => {
    const base = fixtureTrajectory();
    const [first, second] = base.steps;
    const broken: Trajectory = {
      ...base,
      steps: [first!, { ...second!, stateBefore: { draft: "condensed by the agent" }, discontinuity: true }],
    };
    const run = runOf(measured(broken), 0);
    expect(run.steps.map(({ between }) => between !== undefined)).toEqual([false, true]);
    expect(runOf(measured(base), 0).steps.every(({ between }) => between === undefined)).toBe(true);
  });

  it("has no change where a state is missing, and marks the target", () => {
    const base = fixtureTrajectory();
    const { stateAfter: _, ...step } = base.steps[0]!;
    const run = runOf(measured({ ...base, steps: [step] }), 3);
    expect(run.steps[0]!.change).toBeUndefined();
    expect(run.number).toBe(3);
    expect(run.candidates.filter(({ isTarget }) => isTarget).map(({ id }) => id)).toEqual([
      base.task.candidateSpace.goldCandidateId,
    ]);
  });
});
