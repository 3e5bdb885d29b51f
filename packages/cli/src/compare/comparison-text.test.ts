import { compareChannels, type ChannelInput } from "@agent-step-value/sdk";
import { describe, expect, it } from "vitest";
import { measuredStep } from "../gate/measured-step.test-support.ts";
import { comparisonCautions, comparisonText } from "./comparison-text.ts";

/** A trajectory of one step for each of these gains. */
function channel(name: string, gains: readonly number[]): ChannelInput {
  const steps = gains.map((gain, i) => measuredStep(i, "read", gain));
  return { name, protocol: { projection: { slice: name } }, steps };
}

const compare = (a: readonly number[], b: readonly number[], names = ["evidence", "full"]) =>
  compareChannels(channel(names[0]!, a), channel(names[1]!, b), { resamples: 200 });

const VARIED = [1, 2, -3, 4, 0, 2];

describe("comparisonText", () => {
  it("says when channels of different settings gave the very same numbers, and not otherwise", () => {
    const said = (one: ReturnType<typeof compare>) =>
      comparisonCautions(one).some((text) => text.startsWith("these two are the same measurement"));
    expect(said(compare(VARIED, VARIED))).toBe(true);
    expect(said(compare(VARIED, [1, 2, -3, 4, 0, 2.5]))).toBe(false);
    expect(said(compare(VARIED, VARIED, ["full", "full"]))).toBe(false); // one protocol: another caution says so
    const { differences: _, ...unknown } = compare(VARIED, VARIED); // of settings nobody wrote down
    expect(said(unknown)).toBe(true);
    expect(said(compare([0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0]))).toBe(false); // nothing moved, which is said too
  });

  it("says that an interval of one point is no precision, where one is printed", () => {
    const point = "an interval of one point";
    expect(comparisonText(compare(VARIED, [1, 1, 1, 1, 1, 1]))).toContain(point);
    expect(comparisonText(compare(VARIED, [3, -1, 2, 5, 1, -4]))).not.toContain(point);
  });
});
