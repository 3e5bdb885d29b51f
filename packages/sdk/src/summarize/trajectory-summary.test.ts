import { describe, expect, it } from "vitest";
import { diagnosticsOf, stepOf, unscored } from "../compare/channel-steps.test-support.ts";
import { trajectorySummary } from "./trajectory-summary.ts";

describe("trajectorySummary", () => {
  it("has what a table of trajectories shows", () => {
    const steps = [
      stepOf("t", "s0", -3),
      stepOf("t", "s1", 5, { diagnostics: diagnosticsOf(5, -2), flags: ["floor"] }),
      unscored(stepOf("t", "s2", 1)),
      stepOf("t", "s3", 0, { diagnostics: diagnosticsOf(0, 3) }),
    ];
    expect(trajectorySummary("t", steps)).toEqual({
      trajectoryId: "t",
      steps: 4,
      measured: 3,
      withMargin: 3,
      meanMarginGain: 2 / 3,
      positive: 1,
      zero: 1,
      negative: 1,
      marginFirst: 1,
      marginLast: 3,
      meanSurprise: 8 / 3,
      maxSurprise: 5,
      meanEntropyMovement: 0,
      damage: 1,
      repair: 1,
      floored: 1,
      worstStepId: "s0",
      bestStepId: "s1",
    });
  });

  it("leaves out what it cannot know, and invents no zero", () => {
    const counts = { positive: 0, zero: 0, negative: 0, damage: 0, repair: 0, floored: 0 };
    expect(trajectorySummary("t", [])).toEqual({
      trajectoryId: "t",
      steps: 0,
      measured: 0,
      withMargin: 0,
      ...counts,
    });
    const found = trajectorySummary("t", [unscored(stepOf("t", "s", 1)), stepOf("t", "u", undefined)]);
    expect(found).toMatchObject({ steps: 2, measured: 1, withMargin: 0, maxSurprise: 0 });
    expect(found).not.toHaveProperty("meanMarginGain");
    expect(found).not.toHaveProperty("marginFirst");
  });

  it("names no worst step among zeros, and the first of equals", () => {
    expect(trajectorySummary("t", [stepOf("t", "s", 0)])).not.toHaveProperty("worstStepId");
    const equal = [stepOf("t", "s", -1), stepOf("t", "u", -1)];
    expect(trajectorySummary("t", equal).worstStepId).toBe("s");
  });
});
