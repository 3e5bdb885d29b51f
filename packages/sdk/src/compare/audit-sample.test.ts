import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { drawSample, type AuditCandidate } from "./audit-sample.ts";
import { stepOf } from "./channel-steps.test-support.ts";

function candidate(trajectoryId: string, stepId: string, gap: number): AuditCandidate {
  return { baseline: stepOf(trajectoryId, stepId, 0), contrast: stepOf(trajectoryId, stepId, gap), gap };
}

const named = (chosen: readonly AuditCandidate[]) =>
  chosen.map(({ baseline }) => `${baseline.trajectoryId} ${baseline.stepId}`);

/** Trajectory x has the five largest gaps, y two small ones. */
const population = [
  candidate("y", "1", -1),
  ...[5, -9, 7, 6, 8].map((gap, i) => candidate("x", String(i), gap)),
  candidate("y", "0", 0.5),
];
const settings = { size: 4, perTrajectory: 3, sampleSeed: 7 };

describe("drawSample", () => {
  it("takes the largest gaps of either sign, at most three of a trajectory", () => {
    const { chosen, beyondPerTrajectory } = drawSample(population, "largest_gap", settings);
    // x would fill all places with −9, 8, 7, 6; its fourth gives way to y.
    expect(chosen.map(({ gap }) => gap)).toEqual([-9, 8, 7, -1]);
    expect(beyondPerTrajectory).toBe(0);
  });

  it("fills up from the rest when the cap leaves too few, and counts how many", () => {
    const { chosen, beyondPerTrajectory } = drawSample(population, "largest_gap", { ...settings, size: 6 });
    expect(chosen.slice(0, 5).map(({ gap }) => gap)).toEqual([-9, 8, 7, -1, 0.5]);
    expect([5, 6]).toContain(chosen[5]!.gap);
    expect(beyondPerTrajectory).toBe(1);
    expect(drawSample(population, "largest_gap", { ...settings, size: 99 }).chosen).toHaveLength(7);
  });

  it("fills up by the seed and not by the size of the gap", () => {
    const filled = (sampleSeed: number) =>
      drawSample(population, "largest_gap", { ...settings, size: 6, sampleSeed }).chosen[5]!.gap;
    const seen = new Set(Array.from({ length: 20 }, (_, seed) => filled(seed)));
    expect(seen).toEqual(new Set([5, 6]));
  });

  it("breaks ties by the ids", () => {
    const tied = [candidate("b", "1", 2), candidate("a", "2", -2), candidate("a", "1", 2)];
    expect(named(drawSample(tied, "largest_gap", settings).chosen)).toEqual(["a 1", "a 2", "b 1"]);
  });

  it("takes all of the population for `clean`, in the order of the ids", () => {
    expect(named(drawSample(population, "clean", settings).chosen)).toEqual([
      "x 0",
      "x 1",
      "x 2",
      "x 3",
      "x 4",
      "y 0",
      "y 1",
    ]);
  });

  it("draws at random by the seed, each subset alike", () => {
    const times = new Map<string, number>();
    for (let sampleSeed = 0; sampleSeed < 700; sampleSeed++) {
      const { chosen } = drawSample(population, "random", { ...settings, size: 3, sampleSeed });
      expect(new Set(named(chosen)).size).toBe(3);
      for (const name of named(chosen)) times.set(name, (times.get(name) ?? 0) + 1);
    }
    // Each of seven is in with chance 3/7: 300 of 700, standard deviation 13.
    for (const name of named(population)) expect(Math.abs(times.get(name)! - 300)).toBeLessThan(65);
  });

  it("does not depend on the order of the population", () => {
    const shuffled = fc.shuffledSubarray(population, { minLength: population.length });
    fc.assert(
      fc.property(shuffled, fc.constantFrom("clean", "largest_gap", "random"), (order, sample) => {
        const one = drawSample(order, sample, { ...settings, size: 6 });
        expect(named(one.chosen)).toEqual(
          named(drawSample(population, sample, { ...settings, size: 6 }).chosen),
        );
      }),
    );
  });
});
