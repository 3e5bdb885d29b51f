import fc from "fast-check";
import { mean, median, sampleStandardDeviation } from "simple-statistics";
import { describe, expect, it } from "vitest";
import type { DiagnosedStep } from "../diagnose/index.ts";
import type { StepDiagnostics, StepMetrics } from "../schema/index.ts";
import { encodeSummary } from "./encode-summary.ts";
import { createSummarizer, summarize } from "./summarize.ts";

function diagnostics(gain: number | undefined, changes: Partial<StepDiagnostics> = {}): StepDiagnostics {
  return {
    beliefBefore: {},
    beliefAfter: {},
    entropyBefore: 0,
    entropyAfter: 0,
    entropyMovement: 0,
    surprise: Math.abs(gain ?? 0),
    ...(gain === undefined
      ? {}
      : { marginBefore: 1, marginAfter: 1 + gain, marginGain: gain, layoutSpread: 0 }),
    flags: [],
    ...changes,
  };
}

function step(
  trajectoryId: string,
  gain: number | undefined,
  changes: Partial<DiagnosedStep> = {},
): DiagnosedStep {
  return {
    trajectoryId,
    stepId: "s",
    index: 0,
    action: "retrieve",
    protocolId: "rho-1",
    evaluatorKind: "scripted",
    diagnostics: diagnostics(gain),
    flags: [],
    ...changes,
  };
}

function unmeasured(trajectoryId: string, changes: Partial<StepMetrics> = {}): DiagnosedStep {
  const { diagnostics: _, ...rest } = step(trajectoryId, 0);
  return { ...rest, flags: ["unscored"], ...changes };
}

/** Every number of a summary, to look for NaN and infinities. */
function numbersOf(value: unknown): number[] {
  if (typeof value === "number") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(numbersOf);
}

/** Six trajectories: gains 2 and −1 in the first, a single 0 in the others. */
const six = [step("t0", 2), step("t0", -1), ...[1, 2, 3, 4, 5].map((t) => step(`t${t}`, 0))];

describe("summarize", () => {
  it("weights the mean by steps and, beside it, by trajectories", () => {
    const { marginGain, counts } = summarize(six, { resamples: 100 });
    // Steps: (2 − 1 + 0·5) / 7. Trajectories: (½ + 0·5) / 6.
    expect(marginGain.mean).toBeCloseTo(1 / 7, 15);
    expect(marginGain.trajectoryWeighted.mean).toBeCloseTo(1 / 12, 15);
    expect(marginGain).toMatchObject({ steps: 7, trajectories: 6, positive: 1, zero: 5, negative: 1 });
    expect(counts).toEqual({
      trajectories: 6,
      steps: 7,
      measured: 7,
      unscored: 0,
      withMargin: 7,
      partialTrajectories: 0,
      states: 14,
      filteredOut: 0,
    });
    expect(marginGain.leaveOneOut).toMatchObject({ min: 0, minWithout: "t0", max: 1 / 6, maxWithout: "t1" });
  });

  it("states how the interval was made, and repeats it from the same seed", () => {
    const first = summarize(six, { resamples: 300, seed: 5 });
    expect(first.bootstrap).toEqual({
      unit: "trajectory",
      method: "percentile",
      quantile: "type 7",
      level: 0.95,
      resamples: 300,
      seed: 5,
      random: "xoroshiro128plus (pure-rand 8.4.2)",
    });
    expect(summarize(six, { resamples: 300, seed: 5 })).toEqual(first);
    expect(first.marginGain.interval!.low).toBeLessThanOrEqual(first.marginGain.mean!);
    expect(first.marginGain.interval!.high).toBeGreaterThanOrEqual(first.marginGain.mean!);
  });

  it("keeps the point and withholds the interval below five trajectories, and warns below twenty", () => {
    const four = summarize(six.filter(({ trajectoryId }) => trajectoryId < "t4"));
    expect(four.marginGain.mean).toBeCloseTo(0.2, 15);
    expect(four.marginGain.interval).toBeUndefined();
    expect(four.marginGain.intervalAbsent).toBe("too_few_trajectories");
    expect(four.warnings).toEqual(["too_few_trajectories"]);
    expect(summarize(six, { resamples: 200 }).warnings).toEqual(["few_trajectories"]);
    const twenty = Array.from({ length: 20 }, (_, t) => step(`t${t}`, t));
    expect(summarize(twenty, { resamples: 200 }).warnings).toEqual([]);
    expect(summarize(twenty.slice(1), { resamples: 200 }).warnings).toEqual(["few_trajectories"]);
  });

  it("warns of intervals from few resamples, and not where there is no interval", () => {
    const twenty = Array.from({ length: 20 }, (_, t) => step(`t${t}`, t));
    expect(summarize(twenty, { resamples: 199 }).warnings).toEqual(["few_resamples"]);
    const one = summarize(twenty, { resamples: 1 });
    expect(one.warnings).toEqual(["few_resamples"]);
    expect(one.marginGain.interval!.low).toBe(one.marginGain.interval!.high); // a point, and no sign of precision
    expect(one.marginGain.interval!.degenerate).toBeUndefined();
    expect(summarize(twenty, { resamples: 0 }).warnings).toEqual([]);
    expect(summarize(twenty.slice(0, 4), { resamples: 1 }).warnings).toEqual(["too_few_trajectories"]);
  });

  it("says not_requested without resamples", () => {
    expect(summarize(six, { resamples: 0 }).marginGain.intervalAbsent).toBe("not_requested");
  });

  it("flags an interval that is a point because nothing varies", () => {
    const equal = Array.from({ length: 6 }, (_, t) => step(`t${t}`, -0.1));
    const { interval } = summarize(equal, { resamples: 50 }).marginGain;
    expect(interval).toEqual({ level: 0.95, low: -0.1, high: -0.1, skippedResamples: 0, degenerate: true });
  });

  it("has no NaN and no invented zero for empty, unscored or target-free input", () => {
    const empty = summarize([]);
    expect(empty.warnings).toEqual(["no_steps"]);
    expect(empty.marginGain).toMatchObject({ steps: 0, intervalAbsent: "no_values" });
    expect(empty.marginGain).not.toHaveProperty("mean");
    expect(empty).not.toHaveProperty("surprise");
    const unscored = summarize([unmeasured("t0"), unmeasured("t1")]);
    expect(unscored.warnings).toEqual(["no_measured_steps"]);
    expect(unscored.counts).toMatchObject({ steps: 2, measured: 0, unscored: 2, states: 0 });
    expect(unscored.flags).toEqual({ unscored: 2 });
    const open = summarize([step("t0", undefined), step("t1", undefined)]);
    expect(open.warnings).toEqual(["no_margins"]);
    expect(open.surprise).toEqual({ mean: 0, max: 0 });
    expect(open.marginGain).not.toHaveProperty("mean");
    const single = summarize([step("t0", 1)]);
    expect(single.marginGain).not.toHaveProperty("leaveOneOut");
    for (const summary of [empty, unscored, open, single]) {
      expect(numbersOf(summary).every(Number.isFinite)).toBe(true);
      expect(JSON.stringify(encodeSummary(summary))).not.toContain("null");
    }
  });

  it("counts damage and repair over all steps and over those where they could happen", () => {
    const crossing = (before: number, after: number) =>
      step("t0", after - before, {
        diagnostics: diagnostics(after - before, {
          marginBefore: before,
          marginAfter: after,
          damage: before > 0 && after <= 0,
          repair: before <= 0 && after > 0,
        }),
      });
    // Target first before: two, of which one is lost. Not first: three, of which one is won.
    const steps = [crossing(1, -1), crossing(1, 2), crossing(-1, 1), crossing(-1, -2), crossing(0, 0)];
    const { damage, repair } = summarize(steps).marginGain;
    expect(damage).toEqual({ count: 1, rate: 0.2, eligible: 2, rateOfEligible: 0.5 });
    expect(repair).toEqual({ count: 1, rate: 0.2, eligible: 3, rateOfEligible: 1 / 3 });
    const none = summarize([crossing(-1, -2)]).marginGain.damage;
    expect(none).toEqual({ count: 0, rate: 0, eligible: 0 });
  });

  it("describes each step type as simple-statistics does, most negative mean first", () => {
    const gains = { retrieve: [1, 4, -2, 0.5], audit: [-3, -8, 1, 2, 2.5], plan: [0] };
    const steps = Object.entries(gains).flatMap(([action, values]) =>
      values.map((gain, t) => step(`t${t}`, gain, { action })),
    );
    const { stepTypes } = summarize([...steps, unmeasured("t9", { action: "draft" })], { resamples: 50 });
    expect(stepTypes.map(({ action }) => action)).toEqual(["audit", "plan", "retrieve", "draft"]);
    const [audit, plan, , draft] = stepTypes;
    expect(audit).toMatchObject({ allSteps: 5, steps: 5, trajectories: 5, min: -8, max: 2.5 });
    expect(audit!.mean).toBeCloseTo(mean(gains.audit), 14);
    expect(audit!.median).toBe(median(gains.audit));
    expect(audit!.standardDeviation).toBeCloseTo(sampleStandardDeviation(gains.audit), 13);
    expect(audit!.meanSurprise).toBeCloseTo(mean(gains.audit.map(Math.abs)), 14);
    expect(audit!.interval).toBeDefined();
    expect(plan).not.toHaveProperty("standardDeviation");
    expect(plan!.intervalAbsent).toBe("too_few_trajectories");
    expect(draft).toMatchObject({ allSteps: 1, measured: 0, steps: 0, intervalAbsent: "no_values" });
  });

  it("counts the resamples that hold none of a step type", () => {
    const steps = Array.from({ length: 40 }, (_, t) =>
      step(`t${t}`, t, { action: t < 5 ? "rare" : "common" }),
    );
    const { stepTypes } = summarize(steps, { resamples: 2000 });
    const rare = stepTypes.find(({ action }) => action === "rare")!;
    // Chance that 40 draws miss 5 of 40: (35/40)^40 ≈ 0.0048, about 10 of 2,000.
    expect(rare.interval!.skippedResamples).toBeGreaterThan(0);
    expect(rare.interval!.skippedResamples).toBeLessThan(40);
  });

  it("takes step types named like object internals, and the empty one", () => {
    const names = ["__proto__", "constructor", "", "toString"];
    const steps = names.map((action) => step(action, 1, { action }));
    const { stepTypes } = summarize(steps);
    expect(stepTypes.map(({ action }) => action).toSorted()).toEqual(names.toSorted());
    expect(stepTypes.every(({ allSteps }) => allSteps === 1)).toBe(true);
  });

  it("leaves out floored steps, whole leaky trajectories, and all doubtful steps", () => {
    const steps = [
      step("t0", 1, { flags: ["floor"] }),
      step("t0", 2),
      step("t1", 4, { flags: ["gold_leak"] }),
      step("t1", 8),
      step("t2", 16, { flags: ["low_label_mass"] }),
    ];
    const { variants, flags } = summarize(steps);
    const [noFloor, noLeak, clean] = variants;
    expect(noFloor).toMatchObject({ name: "no_floor_steps", excludedSteps: 1, steps: 4, mean: 30 / 4 });
    expect(noLeak).toMatchObject({ name: "no_leak_trajectories", excludedSteps: 2, steps: 3, mean: 19 / 3 });
    expect(clean).toMatchObject({ name: "clean", excludedSteps: 2, steps: 3, mean: 26 / 3 });
    expect(flags).toEqual({ floor: 1, gold_leak: 1, low_label_mass: 1 });
  });

  it("reads flags of the step and of its diagnostics once", () => {
    const both = step("t0", 1, {
      flags: ["floor"],
      diagnostics: diagnostics(1, { flags: ["floor", "no_target"] }),
    });
    expect(summarize([both]).flags).toEqual({ floor: 1, no_target: 1 });
  });

  it("lists the worst and best steps and leaves zeros out of both", () => {
    const steps = Array.from({ length: 9 }, (_, i) => step("t", i - 4, { stepId: `s${i}`, index: i }));
    const { worst, best } = summarize(steps, { extremes: 3 });
    expect(worst.map(({ marginGain }) => marginGain)).toEqual([-4, -3, -2]);
    expect(best.map(({ marginGain }) => marginGain)).toEqual([4, 3, 2]);
    expect(worst[0]).toEqual({
      trajectoryId: "t",
      stepId: "s0",
      index: 0,
      action: "retrieve",
      marginGain: -4,
      surprise: 4,
      flags: [],
    });
    expect(summarize(six, { extremes: 10 }).worst).toHaveLength(1);
  });

  it("summarizes layout spread over the steps that have one", () => {
    const spreads = [0, 0.5, 3];
    const steps = spreads.map((layoutSpread) =>
      step("t", 1, { diagnostics: diagnostics(1, { layoutSpread }) }),
    );
    expect(summarize([...steps, unmeasured("t")]).layoutSpread).toEqual({
      steps: 3,
      mean: 3.5 / 3,
      median: 0.5,
      max: 3,
    });
  });

  it("sums the temperature probe with and without floored steps", () => {
    const probe = (entropyMovement: number) => [
      { tau: 5, entropyMovement, topBefore: 0.9, topAfter: 0.7 },
      { tau: 1, entropyMovement: 0, topBefore: 1, topAfter: 1 },
    ];
    const steps = [
      step("t", 1, { temperatureProbe: probe(0.2) }),
      step("t", 1, { temperatureProbe: probe(0.4), flags: ["floor"] }),
      step("t", 1, { temperatureProbe: probe(0) }),
    ];
    const [native, cooled] = summarize(steps).temperatures!;
    expect(native).toMatchObject({ tau: 1, steps: 3, movedRate: 0, meanTopBefore: 1 });
    expect(cooled!.meanEntropyMovement).toBeCloseTo(0.2, 15);
    expect(cooled!.movedRate).toBeCloseTo(2 / 3, 15);
    expect(cooled!.withoutFloor).toMatchObject({ steps: 2, movedRate: 0.5 });
    expect(cooled!.withoutFloor!.meanEntropyMovement).toBeCloseTo(0.1, 15);
  });

  it("leaves filtered steps out of everything but their own count", () => {
    const { counts, marginGain } = summarize(six, { filter: ({ trajectoryId }) => trajectoryId !== "t0" });
    expect(counts).toMatchObject({ trajectories: 5, steps: 5, filteredOut: 2 });
    expect(marginGain.mean).toBe(0);
  });

  it("warns when protocols or evaluators are mixed, and counts partial trajectories once", () => {
    const mixed = [
      step("t0", 1, { flags: ["partial_trajectory"] }),
      step("t0", 1, { protocolId: "rho-2", evaluatorKind: "lexical", flags: ["partial_trajectory"] }),
    ];
    const { warnings, protocolIds, evaluatorKinds, counts } = summarize(mixed);
    expect(warnings).toEqual(["too_few_trajectories", "several_protocols", "several_evaluators"]);
    expect(protocolIds).toEqual(["rho-1", "rho-2"]);
    expect(evaluatorKinds).toEqual(["scripted", "lexical"]);
    expect(counts.partialTrajectories).toBe(1);
  });

  it("takes what lies within the tolerance as zero", () => {
    const noisy = [step("t", 0.01), step("t", -0.01), step("t", 0.5)];
    expect(summarize(noisy, { zeroTolerance: 0.02 }).marginGain).toMatchObject({
      positive: 1,
      zero: 2,
      negative: 0,
    });
    expect(summarize(noisy).marginGain).toMatchObject({ positive: 2, zero: 0, negative: 1 });
  });

  it.each([
    [{ zeroTolerance: -1 }, "zeroTolerance"],
    [{ zeroTolerance: NaN }, "zeroTolerance"],
    [{ extremes: 1.5 }, "extremes"],
    [{ resamples: 1e9 }, "resamples"],
    [{ seed: 0.5 }, "seed"],
  ])("refuses %o", (options, argument) => {
    expect(() => createSummarizer(options)).toThrow(argument);
  });

  it("can be finished twice, and does not depend on the order of steps beyond rounding", () => {
    const gains = fc.array(
      fc.tuple(fc.integer({ min: 0, max: 6 }), fc.double({ min: -20, max: 20, noNaN: true })),
      {
        minLength: 1,
        maxLength: 40,
      },
    );
    fc.assert(
      fc.property(gains, (pairs) => {
        const steps = pairs.map(([t, gain]) => step(`t${t}`, gain));
        const summarizer = createSummarizer({ resamples: 0 });
        for (const one of steps) summarizer.add(one);
        const forth = summarizer.finish();
        expect(summarizer.finish()).toEqual(forth);
        const back = summarize(steps.toReversed(), { resamples: 0 });
        expect(back.marginGain.mean).toBe(forth.marginGain.mean);
        expect(back.marginGain.positive).toBe(forth.marginGain.positive);
        expect(back.stepTypes[0]!.median).toBe(forth.stepTypes[0]!.median);
      }),
      { numRuns: 50 },
    );
  });

  it("grows past the first capacity of its columns", () => {
    const many = Array.from({ length: 5000 }, (_, i) => step(`t${i % 50}`, i % 3 === 0 ? -1 : 0));
    const { counts, marginGain } = summarize(many, { resamples: 20 });
    expect(counts.steps).toBe(5000);
    expect(marginGain.negative).toBe(1667);
    expect(marginGain.mean).toBeCloseTo(-1667 / 5000, 15);
  });
});

describe("encodeSummary", () => {
  it("writes snake_case and leaves absent fields out", () => {
    const encoded = encodeSummary(summarize(six, { resamples: 20 }));
    expect(encoded).toMatchObject({
      schema_version: "asv.summary.v1",
      zero_tolerance: 1e-9,
      margin_gain: { steps: 7, trajectory_weighted: {}, leave_one_out: { min_without: "t0" } },
      counts: { with_margin: 7 },
    });
    expect(encoded).not.toHaveProperty("human_labels");
    expect(JSON.parse(JSON.stringify(encoded))).toEqual(encoded);
    expect(JSON.stringify(encoded)).not.toMatch(/"[a-z]+[A-Z]\w*":/);
  });
});
