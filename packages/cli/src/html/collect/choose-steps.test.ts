import type { DiagnosedStep } from "@agent-step-value/sdk";
import { describe, expect, it } from "vitest";
import { chooseSteps, MOST_STEPS_OF_RUN } from "./choose-steps.ts";

function steps(
  count: number,
  change: (place: number) => { gain?: number; label?: string } = () => ({}),
): DiagnosedStep[] {
  return Array.from({ length: count }, (_, place) => {
    const { gain = 0, label } = change(place);
    return {
      diagnostics: { marginGain: gain, surprise: 0 },
      ...(label !== undefined && { label }),
    } as unknown as DiagnosedStep;
  });
}

describe("chooseSteps", () => {
  it("takes all steps of a usual run", () => {
    expect(chooseSteps(steps(MOST_STEPS_OF_RUN))).toHaveLength(MOST_STEPS_OF_RUN);
    expect(chooseSteps([])).toEqual([]);
  });

  it("takes of a long run its ends, the labelled steps and those that moved most, in order", () => {
    const chosen = chooseSteps(
      steps(5000, (place) => (place === 2500 ? { gain: -9 } : place === 3000 ? { label: "wrong" } : {})),
    );
    expect(chosen).toHaveLength(MOST_STEPS_OF_RUN);
    for (const place of [0, 9, 2500, 3000, 4990, 4999]) expect(chosen).toContain(place);
    expect(chosen).toEqual(chosen.toSorted((a, b) => a - b));
  });

  it("keeps the largest movement even where every step is labelled", () => {
    const chosen = chooseSteps(steps(5000, (place) => ({ label: "x", gain: place === 2500 ? 9 : 0 })));
    expect(chosen).toContain(2500);
  });
});
