import { humanLabels, type LabelledTrajectory } from "@agent-step-value/sdk";
import { describe, expect, it } from "vitest";
import { humanLabelText } from "./human-label-text.ts";

const labelled = (gains: number[], at: number): LabelledTrajectory => ({
  labelledIndex: at,
  steps: gains.length,
  gains,
  surprises: gains.map(Math.abs),
  labelled: at,
});
const ranked = [labelled([-1, 0, 0, 0], 0), labelled([0, -1, 0, 0], 1)];
const textOf = (...trajectories: LabelledTrajectory[]): string[] =>
  humanLabelText(humanLabels(trajectories, { severalLabels: 0, tolerance: 0, seed: 7 })!);

describe("humanLabelText", () => {
  it("says once what positions alone give where every label was ranked", () => {
    const lines = textOf(...ranked);
    expect(lines.filter((line) => line.includes("without looking"))).toEqual([
      "  without looking: a random step 25.0%, always step 0 50.0%, always step 1 50.0%, best constant 50.0% (step 0)",
    ]);
    expect(lines.filter((line) => line.includes("earliest step first"))).toHaveLength(1);
    expect(lines.join("\n")).not.toContain("could not be ranked");
  });

  it("says it with each ranking, over the trajectories of that ranking, where some were not", () => {
    const unscored: LabelledTrajectory = { ...labelled([], 1), steps: 4, labelled: undefined };
    const lines = textOf(...ranked, unscored, unscored);
    expect(lines[0]).toBe("human step labels: 4 trajectories with one labelled step");
    // Over all four always step 1 would be 75 %; over the two ranked ones it is 50 %.
    const looking = lines.filter((line) => line.includes("without looking"));
    expect(looking).toHaveLength(2);
    for (const line of looking) expect(line).toMatch(/^ {4}on the same 2, .*always step 1 50\.0%/);
    expect(lines.filter((line) => line.includes("2 labelled steps could not be ranked"))).toHaveLength(2);
    expect(lines.filter((line) => line.startsWith("    on the same 2, earliest step first"))).toHaveLength(2);
  });

  it("keeps what positions say where nothing could be ranked", () => {
    const lines = textOf({ ...labelled([], 1), steps: 4, labelled: undefined });
    expect(lines[1]).toContain("always step 1 100.0%");
    expect(lines.filter((line) => line.endsWith("no labelled step can be ranked"))).toHaveLength(2);
  });
});
