import { describe, expect, it } from "vitest";
import { diagnosticsOf, numbersOf, stepOf, unscored } from "../compare/channel-steps.test-support.ts";
import type { DiagnosedStep } from "../diagnose/index.ts";
import { encodeSummary } from "./encode-summary.ts";
import { summarize } from "./summarize.ts";

function floored(gain: number, interval: { low?: number; high?: number }, at: readonly [number, number][]) {
  return stepOf("t", `f${gain}`, gain, {
    flags: ["floor"],
    diagnostics: { ...diagnosticsOf(gain), floorInterval: interval, flags: ["floor"] },
    floorSensitivity: at.map(([floor, marginGain]) => ({ floor, marginGain })),
  });
}

describe("pivots", () => {
  it("counts what became of the first choice over measured steps", () => {
    const toTarget = stepOf("t", "a", 3, { diagnostics: diagnosticsOf(3, -2) });
    toTarget.diagnostics!.beliefBefore = { "cand-1": 0.2, "cand-2": 0.8 };
    const { transition: _transition, ...untargeted } = stepOf("t", "d", -5);
    const steps = [
      toTarget,
      stepOf("t", "b", -5),
      stepOf("t", "c", 0),
      untargeted,
      unscored(stepOf("t", "e", 1)),
    ];
    expect(summarize(steps).pivots).toEqual({
      steps: 4,
      none: 1,
      tied: 0,
      targetDirected: 1,
      destructive: 1,
      betweenOthers: 0,
      untargeted: 1,
    });
    expect(summarize([unscored(stepOf("t", "s", 1))])).not.toHaveProperty("pivots");
  });
});

describe("floors", () => {
  it("bounds the mean over all steps by the intervals of floored ones", () => {
    const steps = [
      stepOf("t", "a", 6),
      floored(-3, { low: -5, high: -1 }, [
        [-10, 1],
        [-30, -7],
      ]),
      floored(2, { low: -1, high: 4 }, [
        [-10, 0],
        [-30, 5],
      ]),
    ];
    expect(summarize(steps).floors).toEqual({
      steps: 2,
      open: 0,
      signKnown: 1,
      meanLow: (6 - 5 - 1) / 3,
      meanHigh: (6 - 1 + 4) / 3,
      sensitivity: [
        { floor: -10, mean: 7 / 3, meanOfFloored: 0.5, positive: 2, zero: 1, negative: 0 },
        { floor: -30, mean: 4 / 3, meanOfFloored: -1, positive: 2, zero: 0, negative: 1 },
      ],
    });
  });

  it("leaves an end out that any step leaves open, and knows the sign of what is zero for sure", () => {
    const { floors } = summarize([floored(1, { low: 0.5 }, []), floored(0, { low: 0, high: 0 }, [])]);
    expect(floors).toEqual({ steps: 2, open: 1, signKnown: 2, meanLow: 0.25 });
    const unknown = summarize([floored(1, {}, [])]).floors;
    expect(unknown).toEqual({ steps: 1, open: 1, signKnown: 0 });
  });

  it("reports no floor that only some floored steps were read at", () => {
    const steps = [floored(1, { low: 1, high: 1 }, [[-10, 1]]), floored(2, { low: 2, high: 2 }, [])];
    expect(summarize(steps).floors).not.toHaveProperty("sensitivity");
    expect(summarize([stepOf("t", "s", 1)])).not.toHaveProperty("floors");
  });

  it("survives a run in which every step is floored", () => {
    const all = summarize([floored(-1, { high: 0 }, [[-20, -1]]), floored(-2, { high: 0 }, [[-20, -2]])]);
    expect(all.floors).toMatchObject({ steps: 2, open: 2, meanHigh: 0 });
    expect(all.variants[0]).toMatchObject({ steps: 0, intervalAbsent: "no_values" });
    expect(numbersOf(all).every(Number.isFinite)).toBe(true);
    expect(JSON.stringify(encodeSummary(all))).not.toContain("null");
  });
});

describe("surprises", () => {
  it("are summed by ε, ascending", () => {
    const probe = (...pairs: [number, number][]) =>
      pairs.map(([epsilon, surprise]) => ({ epsilon, surprise }));
    const steps: DiagnosedStep[] = [
      stepOf("t", "a", 1, { surpriseProbe: probe([1e-4, 2], [1e-8, 6]) }),
      stepOf("t", "b", 1, { surpriseProbe: probe([1e-4, 4], [1e-8, 0]) }),
      stepOf("t", "c", 1),
    ];
    expect(summarize(steps).surprises).toEqual([
      { epsilon: 1e-8, steps: 2, mean: 3, max: 6 },
      { epsilon: 1e-4, steps: 2, mean: 3, max: 4 },
    ]);
    expect(summarize([steps[2]!])).not.toHaveProperty("surprises");
  });
});

describe("step types", () => {
  const steps = Array.from({ length: 8 }, (_, t) => [
    stepOf(`t${t}`, "a", -3 - t, { action: "audit" }),
    stepOf(`t${t}`, "b", t % 2 === 0 ? 1 : -1, { action: "plan", flags: t === 0 ? ["floor"] : [] }),
    stepOf(`t${t}`, "c", 0, { action: "draft" }),
  ]).flat();

  it("get a verdict that is adjusted for their number, where their interval varies", () => {
    const { stepTypes, stepTypeTests } = summarize(steps, { resamples: 999 });
    const [audit, draft, plan] = ["audit", "draft", "plan"].map((name) =>
      stepTypes.find(({ action }) => action === name)!,
    );
    // No resample of −3…−10 reaches 0: the least p there is, doubled for two tests.
    expect(audit!.test).toEqual({ pValue: 2 / 1000, adjusted: 4 / 1000, rejected: true });
    expect(plan!.test).toMatchObject({ rejected: false });
    expect(plan!.test!.pValue).toBeGreaterThan(0.5);
    expect(draft!.test).toBeUndefined();
    expect(stepTypeTests).toMatchObject({ tests: 2, level: 0.05 });
  });

  it("have intervals of damage and repair, also where neither happened", () => {
    const { stepTypes, marginGain } = summarize(steps, { resamples: 50 });
    const audit = stepTypes.find(({ action }) => action === "audit")!;
    expect(audit.damage).toMatchObject({ count: 8, rate: 1, eligible: 8, rateOfEligible: 1 });
    expect(audit.damage.interval).toMatchObject({ method: "wilson", high: 1, effectiveSteps: 8 });
    expect(audit.repair).toMatchObject({ count: 0, rate: 0, eligible: 0 });
    expect(audit.repair).not.toHaveProperty("intervalOfEligible");
    expect(audit.meanSurpriseOnDamage).toBe(6.5);
    // plan loses the target whenever it loses 1 of 1: at every odd trajectory.
    expect(marginGain.damage).toMatchObject({ count: 12, eligible: 24 });
    expect(marginGain.damage.interval!.low).toBeGreaterThan(0.2);
  });

  it("count floored steps, and come together in the caller's groups", () => {
    const groups = [
      { group: "both", actions: ["audit", "plan"] },
      { group: "empty", actions: ["nothing"] },
    ];
    const { stepGroups, stepTypes } = summarize(steps, { resamples: 50, groups });
    expect(stepTypes.find(({ action }) => action === "plan")!.floored).toBe(1);
    const [both, empty] = stepGroups!;
    expect(both).toMatchObject({
      group: "both",
      actions: ["audit", "plan"],
      allSteps: 16,
      floored: 1,
      min: -10,
    });
    expect(both!.mean).toBe(-52 / 16);
    expect(empty).toMatchObject({ allSteps: 0, steps: 0, intervalAbsent: "no_values" });
    expect(summarize(steps, { resamples: 0 })).not.toHaveProperty("stepGroups");
    expect(JSON.stringify(encodeSummary(summarize(steps, { groups, resamples: 5 })))).not.toContain("null");
  });
});
