import { diagnoseTrajectory } from "@agent-step-value/sdk";
import { fixtureTrajectory } from "@agent-step-value/sdk/testing";
import { describe, expect, it } from "vitest";
import { trajectoryRow } from "./tables.ts";

describe("trajectoryRow", () => {
  it("takes the first and last margin from steps that have one, not from steps with beliefs alone", () => {
    const trajectory = fixtureTrajectory({ states: [0, 1, 2, 3].map((n) => ({ evidence: n })) });
    const [a, b] = trajectory.task.candidateSpace.candidates.map(({ id }) => id) as [string, string];
    const rest = trajectory.task.candidateSpace.candidates.slice(2).map(({ id }) => [id, -9]);
    const scores = (first: number) =>
      Object.fromEntries([[a, first], [b, 0], ...rest]) as Record<string, number>;
    const even = 1 / trajectory.task.candidateSpace.candidates.length;
    const beliefs = Object.fromEntries(trajectory.task.candidateSpace.candidates.map(({ id }) => [id, even]));
    trajectory.task.candidateSpace.goldCandidateId = a;
    trajectory.steps.forEach((step, i) => {
      if (i === 1) Object.assign(step, { rawScoresBefore: scores(2), rawScoresAfter: scores(-1) });
      else Object.assign(step, { beliefBefore: beliefs, beliefAfter: beliefs });
    });
    const row = trajectoryRow("t", "closed", diagnoseTrajectory(trajectory, "provided"));
    expect(row).toMatchObject({ steps: 3, measured: 3, meanMarginGain: -3, marginFirst: 2, marginLast: -1 });
    expect(row).toMatchObject({ status: "closed", damage: 1, repair: 0 });
  });
});
