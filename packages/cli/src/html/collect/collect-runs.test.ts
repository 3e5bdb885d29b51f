import { createRandom, createSummarizer, type DiagnosedStep, type Trajectory } from "@agent-step-value/sdk";
import { fixtureTrajectory } from "@agent-step-value/sdk/testing";
import { describe, expect, it } from "vitest";
import { createRunCollector } from "./collect-runs.ts";
import type { MeasuredRun } from "./run-of.ts";

const base = fixtureTrajectory();

/** A run of as many steps as gains, each step moving the target by its gain. */
function runOf(id: string, gains: readonly number[]): MeasuredRun {
  const trajectory: Trajectory = {
    ...base,
    trajectoryId: id,
    steps: gains.map((_, i) => ({ ...base.steps[0]!, stepId: `s${i}`, index: i })),
  };
  const steps = gains.map((marginGain, i): DiagnosedStep => ({
    trajectoryId: id,
    stepId: `s${i}`,
    index: i,
    action: "act",
    protocolId: "rho-1",
    evaluatorKind: "scripted",
    flags: [],
    diagnostics: {
      beliefBefore: { a: 0.9, b: 0.1 },
      beliefAfter: { a: 0.1, b: 0.9 },
      entropyBefore: 0.3,
      entropyAfter: 0.3,
      entropyMovement: 0,
      surprise: 2,
      marginBefore: 0,
      marginAfter: marginGain,
      marginGain,
      damage: false,
      repair: false,
      flags: [],
    },
  }));
  return { trajectory, steps, others: [] };
}

function collect(runs: readonly MeasuredRun[], options = {}) {
  const collector = createRunCollector(options);
  for (const run of runs) collector.add(run);
  return collector.finish();
}

const small = Array.from({ length: 60 }, (_, i) => runOf(`run-${i}`, [0.1, -0.1, 0.2]));

describe("createRunCollector", () => {
  it("keeps every run while they fit, in the order they came", () => {
    const { shown, runs, steps } = collect(small);
    expect([shown.length, runs, steps]).toEqual([60, 60, 180]);
    expect(shown.map(({ number }) => number)).toEqual(Array.from({ length: 60 }, (_, i) => i));
  });

  it("keeps a sample that does not depend on the order of the runs, as large as fits", () => {
    const order = createRandom(1);
    const shuffled = small.map((run) => ({ run, key: order.unit() })).toSorted((a, b) => a.key - b.key);
    const ids = (runs: readonly MeasuredRun[]) =>
      collect(runs, { mostSteps: 30, extremes: 0 })
        .shown.map(({ trajectoryId }) => trajectoryId)
        .toSorted();
    expect(ids(small)).toHaveLength(10);
    expect(ids(shuffled.map(({ run }) => run))).toEqual(ids(small));
  });

  it("draws other runs under another seed", () => {
    const ids = (seed: number) =>
      collect(small, { mostSteps: 30, extremes: 0, seed }).shown.map(({ trajectoryId }) => trajectoryId);
    expect(ids(1)).not.toEqual(ids(2));
  });

  it("keeps the runs of the summary's worst and best steps whatever the sample is", () => {
    const random = createRandom(5);
    const runs = Array.from({ length: 200 }, (_, i) =>
      runOf(`r${i}`, [random.unit() - 0.5, random.unit() - 0.5]),
    );
    const summarizer = createSummarizer({ resamples: 0 });
    for (const { steps } of runs) for (const step of steps) summarizer.add(step);
    const { worst, best } = summarizer.finish();
    const shown = new Set(collect(runs, { mostSteps: 10 }).shown.map(({ trajectoryId }) => trajectoryId));
    for (const { trajectoryId } of [...worst, ...best]) expect(shown).toContain(trajectoryId);
    expect(shown.size).toBeLessThanOrEqual(5 + worst.length + best.length);
  });

  it("counts points, pivots and sizes of all runs, shown or not", () => {
    const { points, candidateCounts, shown } = collect(small, { mostSteps: 3, extremes: 0 });
    expect(shown).toHaveLength(1);
    expect(points.length).toBe(180);
    expect([...candidateCounts]).toEqual([[base.task.candidateSpace.candidates.length, 180]]);
  });

  it("counts a run longer than is shown by what is shown of it", () => {
    const long = runOf(
      "long",
      Array.from({ length: 900 }, () => 0.1),
    );
    const { shown } = collect([...small.slice(0, 10), long], { mostSteps: 300, extremes: 0 });
    expect(shown.map(({ trajectoryId }) => trajectoryId)).toContain("long");
    expect(shown.at(-1)!.steps).toHaveLength(200);
    expect(shown.at(-1)!.totals.steps).toBe(900);
  });
});
