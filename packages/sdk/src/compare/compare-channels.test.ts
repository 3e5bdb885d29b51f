import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { DiagnosedStep } from "../diagnose/index.ts";
import { AsvError } from "../errors/index.ts";
import { summarize } from "../summarize/index.ts";
import type { ChannelEffect } from "./channel-comparison.ts";
import { diagnosticsOf, numbersOf, stepOf, unscored } from "./channel-steps.test-support.ts";
import { compareChannels, createComparer } from "./compare-channels.ts";
import { encodeComparison } from "./encode-comparison.ts";

/** Six trajectories of two steps; a gains, b loses on the first and stays on the second. */
function twoChannels(): { a: DiagnosedStep[]; b: DiagnosedStep[] } {
  const a: DiagnosedStep[] = [];
  const b: DiagnosedStep[] = [];
  for (let t = 0; t < 6; t++) {
    a.push(stepOf(`t${t}`, "s0", t), stepOf(`t${t}`, "s1", 1, { action: "audit" }));
    b.push(stepOf(`t${t}`, "s0", -2 * t), stepOf(`t${t}`, "s1", 0, { action: "audit" }));
  }
  return { a, b };
}

const compared = (a: DiagnosedStep[], b: DiagnosedStep[], resamples = 200) =>
  compareChannels({ name: "a", steps: a }, { name: "b", steps: b }, { resamples });

function codeOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    return AsvError.isInstance(error) ? error.code : String(error);
  }
  return "none";
}

describe("compareChannels", () => {
  it("takes means, effects and disagreement over pairs", () => {
    const { a, b } = twoChannels();
    const { all, coverage } = compared(a, b);
    // a: (0+1+…+5 + 6·1)/12 = 21/12; b: −2·15/12 = −30/12; a − b = 3t and 1.
    expect(coverage).toMatchObject({ transitions: 12, paired: 12, unverified: 0, mismatched: 0 });
    expect(all.pairs).toBe(12);
    expect(all.a.mean).toBe(21 / 12);
    expect(all.b.mean).toBe(-30 / 12);
    expect(all.signed.mean).toBe(51 / 12);
    expect(all.absolute.mean).toBe(51 / 12);
    // Both moved at s0 of t1…t5, always apart. a alone moved at every s1; neither at s0 of t0.
    expect(all.signDisagreement).toMatchObject({
      reading: "tolerance",
      threshold: 1e-9,
      bothMoved: 5,
      disagree: 5,
      onlyAMoved: 6,
      onlyBMoved: 0,
      neitherMoved: 1,
    });
    expect(all.signDisagreement.rate).toMatchObject({ steps: 5, trajectories: 5, mean: 1 });
    // b falls from 1 to 1 − 2t: at or below 0 from t = 1 on. a never falls.
    expect(all.damage).toMatchObject({ both: 0, onlyA: 0, onlyB: 5 });
    expect(all.damage.b).toMatchObject({ count: 5, rate: 5 / 12, eligible: 12, rateOfEligible: 5 / 12 });
    expect(all.damage.a.count).toBe(0);
  });

  it("splits by step type in the order of a's mean, and by the caller's groups", () => {
    const { a, b } = twoChannels();
    const options = {
      resamples: 200,
      groups: [
        { group: "all of them", actions: ["retrieve", "audit"] },
        { group: "none of them", actions: ["plan"] },
      ],
    };
    const { stepTypes, groups, all } = compareChannels({ steps: a }, { steps: b }, options);
    expect(stepTypes.map(({ action }) => action)).toEqual(["audit", "retrieve"]);
    expect(stepTypes[0]!.signed.mean).toBe(1);
    expect(stepTypes[1]!.signed.mean).toBe(7.5);
    expect(groups![0]).toEqual({ group: "all of them", actions: ["retrieve", "audit"], ...all });
    expect(groups![1]).toMatchObject({ pairs: 0, signed: { steps: 0, intervalAbsent: "no_values" } });
    expect(groups![1]!.damage.a).toEqual({ count: 0, eligible: 0 });
  });

  it("gives a step type a verdict only where its interval varies", () => {
    const { a, b } = twoChannels();
    const { stepTypes, stepTypeTests } = compared(a, b, 400);
    // Every audit pair differs by exactly 1: a point is no evidence. retrieve differs by 0, 3, … 15.
    const [audit, retrieve] = stepTypes;
    expect(audit!.signed.interval).toMatchObject({ low: 1, high: 1, degenerate: true });
    expect(audit!.test).toBeUndefined();
    expect(retrieve!.test).toEqual({ pValue: 2 / 401, adjusted: 2 / 401, rejected: true });
    expect(stepTypeTests).toMatchObject({ tests: 1, level: 0.05 });
  });

  it("tests the effect and not a's mean, within the family of step types alone", () => {
    const { a } = twoChannels();
    // At `retrieve` a gains 0…5 and b the same but for 1 either way: a's mean is clear of zero, the effect is not.
    const b = a.map((step, i) => {
      const gain = step.diagnostics!.marginGain! + (i % 4 === 0 ? 1 : -1);
      return { ...step, diagnostics: diagnosticsOf(gain) };
    });
    const groups = [{ group: "every", actions: ["retrieve", "audit"] }];
    const options = { resamples: 400, groups };
    const { stepTypes, stepTypeTests } = compareChannels({ steps: a }, { steps: b }, options);
    const retrieve = stepTypes.find(({ action }) => action === "retrieve")!;
    expect(retrieve.a.interval!.low).toBeGreaterThan(0);
    expect(retrieve.signed).toMatchObject({ mean: 0 });
    expect(retrieve.test).toMatchObject({ pValue: 1, rejected: false });
    expect(stepTypeTests.tests).toBe(1); // `audit` does not vary, and the group is no part of the family
  });

  it("is exactly zero for a channel against itself", () => {
    const { a } = twoChannels();
    const { all, stepTypes, largest, clean } = compared(a, a);
    for (const effect of [all, clean, ...stepTypes]) {
      for (const zero of [effect.signed, effect.absolute]) {
        expect(zero.mean).toBe(0);
        expect(zero.interval).toMatchObject({ low: 0, high: 0, degenerate: true });
      }
      expect(effect.signDisagreement.disagree).toBe(0);
      expect(effect.damage).toMatchObject({ onlyA: 0, onlyB: 0 });
    }
    expect(largest).toEqual([]);
  });

  it("flips the sign exactly when the channels are exchanged", () => {
    const gain = fc.oneof(fc.constant(0), fc.double({ min: -40, max: 40, noNaN: true }));
    const pairs = fc.array(fc.tuple(fc.integer({ min: 0, max: 7 }), gain, gain), {
      minLength: 1,
      maxLength: 40,
    });
    fc.assert(
      fc.property(pairs, (drawn) => {
        const a = drawn.map(([t, ga], i) => stepOf(`t${t}`, `s${i}`, ga, { action: `type ${i % 3}` }));
        const b = drawn.map(([t, , gb], i) => stepOf(`t${t}`, `s${i}`, gb, { action: `type ${i % 3}` }));
        const forth = compared(a, b, 60);
        const back = compared(b, a, 60);
        expectMirrored(forth.all, back.all);
        for (const type of forth.stepTypes) {
          expectMirrored(
            type,
            back.stepTypes.find(({ action }) => action === type.action)!,
          );
        }
      }),
      { numRuns: 60 },
    );
  });

  it("accounts for every step of both channels exactly once", () => {
    const presence = fc.constantFrom("absent", "unscored", "scored", "other state");
    const cells = fc.array(fc.tuple(fc.integer({ min: 0, max: 4 }), presence, presence), { maxLength: 30 });
    fc.assert(
      fc.property(cells, (drawn) => {
        const make = (side: 1 | 2) =>
          drawn.flatMap(([t, ...kinds], i) => {
            const kind = kinds[side - 1]!;
            const step = stepOf(`t${t}`, `s${i}`, side);
            if (kind === "absent") return [];
            if (kind === "unscored") return [unscored(step)];
            if (kind === "scored") return [step];
            return [{ ...step, transition: { ...step.transition!, stateAfterSha256: `of side ${side}` } }];
          });
        const [a, b] = [make(1), make(2)];
        const { coverage, all, a: sideA, b: sideB } = compared(a, b, 0);
        const ids = new Set([...a, ...b].map(({ trajectoryId, stepId }) => `${trajectoryId} ${stepId}`));
        const { paired, onlyInA, onlyInB, withoutGainInA, withoutGainInB, withoutGainInBoth } = coverage;
        expect(coverage.transitions).toBe(ids.size);
        const rest = onlyInA + onlyInB + withoutGainInA + withoutGainInB + withoutGainInBoth;
        expect(paired + rest + coverage.mismatched).toBe(ids.size);
        expect(all.pairs).toBe(paired);
        expect(sideA.steps - onlyInA).toBe(sideB.steps - onlyInB);
        const trajectories = Object.values(coverage.trajectories).reduce((sum, count) => sum + count, 0);
        expect(trajectories).toBe(new Set([...a, ...b].map(({ trajectoryId }) => trajectoryId)).size);
      }),
    );
  });

  it("depends neither on the order of the steps nor on how they are handed over", () => {
    const { a, b } = twoChannels();
    const comparer = createComparer({ name: "a" }, { name: "b" }, { resamples: 200 });
    for (let t = 0; t < 6; t++) {
      const own = ({ trajectoryId }: DiagnosedStep) => trajectoryId === `t${t}`;
      comparer.add(a.filter(own), b.filter(own).toReversed());
    }
    const streamed = comparer.finish();
    expect(streamed).toEqual(compared(a, b));
    expect(comparer.finish()).toEqual(streamed);
    expect(compared(a, b.toReversed())).toEqual(streamed);
  });

  it("gives each side the estimate that its own summary gives", () => {
    const { a, b } = twoChannels();
    const options = { resamples: 300, seed: 3 };
    const found = compareChannels({ steps: a }, { steps: b.slice(0, 7) }, options);
    const { marginGain } = summarize(a, options);
    expect(found.a.marginGain).toEqual({
      steps: marginGain.steps,
      trajectories: marginGain.trajectories,
      mean: marginGain.mean,
      interval: marginGain.interval,
    });
    expect(found.b).toMatchObject({ steps: 7, withGain: 7 });
    expect(found.coverage.onlyInA).toBe(5);
    expect(found.warnings).toContain("unequal_coverage");
  });

  it.each([
    ["candidates", { candidateSetSha256: "another" }],
    ["target", { targetId: "cand-2" }],
    ["state_before", { stateBeforeSha256: "another" }],
    ["state_after", { stateAfterSha256: "another" }],
  ])("leaves a step with another %s out of every number, and names it", (reason, change) => {
    const { a, b } = twoChannels();
    const odd = stepOf("t2", "s9", 1000);
    const other = { ...stepOf("t2", "s9", -1000), transition: { ...odd.transition!, ...change } };
    const found = compared([...a, odd], [...b, other]);
    expect(found.all).toEqual(compared(a, b).all);
    expect(found.coverage.mismatches).toEqual([
      { reason, count: 1, examples: [{ trajectoryId: "t2", stepId: "s9" }] },
    ]);
    expect(found.warnings).toContain("mismatched_transitions");
    expect(found.largest.every(({ stepId }) => stepId !== "s9")).toBe(true);
  });

  it("takes another action for another transition, and lists at most five examples a reason", () => {
    const a = Array.from({ length: 8 }, (_, t) => stepOf(`t${t}`, "s", 1));
    const b = a.map((step) => ({ ...step, action: "plan" }));
    const { coverage, all, warnings } = compared(a, b);
    expect(coverage.mismatches[0]).toMatchObject({ reason: "action", count: 8 });
    expect(coverage.mismatches[0]!.examples).toHaveLength(5);
    expect(all.signed).toEqual({ steps: 0, trajectories: 0, intervalAbsent: "no_values" });
    expect(warnings).toContain("no_pairs");
  });

  it("pairs steps without digests on their ids, and says how many", () => {
    const { a, b } = twoChannels();
    const bare = b.map(({ transition: _transition, ...step }) => step);
    const { coverage, all, warnings } = compared(a, bare);
    expect(coverage.unverified).toBe(12);
    expect(warnings).toContain("unverified_transitions");
    expect(all).toEqual(compared(a, b).all);
  });

  it("holds stored scores, whose states nobody hashed, against scored ones", () => {
    const { a, b } = twoChannels();
    const stored = b.map((step) => ({ ...step, transition: { targetId: "cand-1" } }));
    const { coverage, all } = compared(a, stored);
    expect(coverage).toMatchObject({ paired: 12, mismatched: 0, unverified: 12 });
    expect(all).toEqual(compared(a, b).all);
    const targeted = b.map((step) => ({ ...step, transition: { targetId: "cand-2" } }));
    expect(compared(a, targeted).coverage.mismatches[0]).toMatchObject({ reason: "target", count: 12 });
  });

  it("counts moves as the reference does: what rounds to zero at six decimals is none", () => {
    const gains = [5e-7, 5.000000000000001e-7, -4e-7, 1e-6];
    const a = gains.map((gain, i) => stepOf("t", `s${i}`, gain));
    const b = gains.map((_, i) => stepOf("t", `s${i}`, -1));
    const { signDisagreement, signDisagreementSixDecimals } = compared(a, b).all;
    expect(signDisagreement).toMatchObject({ bothMoved: 4, disagree: 3 });
    // 5e-7 is the double just below the half; it rounds to 0, its neighbour to 0.000001.
    expect(signDisagreementSixDecimals).toMatchObject({ bothMoved: 2, disagree: 2, onlyBMoved: 2 });
    expect(signDisagreement.rate).toMatchObject({ steps: 4, mean: 3 / 4 });
    expect(signDisagreementSixDecimals.rate).toMatchObject({ steps: 2, mean: 1 });
    const exactly = compareChannels({ steps: a }, { steps: b }, { resamples: 0, zeroTolerance: 1e-6 }).all;
    expect(exactly.signDisagreement).toMatchObject({ bothMoved: 0, onlyBMoved: 4, rate: { steps: 0 } });
  });

  it("excludes pairs that are doubtful in either channel from the clean effect", () => {
    const { a, b } = twoChannels();
    a[0] = { ...a[0]!, flags: ["floor"] };
    b[2] = { ...b[2]!, diagnostics: { ...b[2]!.diagnostics!, flags: ["gold_leak"] } };
    const { clean, a: sideA } = compared(a, b);
    expect(clean).toMatchObject({ excludedPairs: 2, pairs: 10 });
    expect(clean.signed.mean).toBe((51 - 0 - 3) / 10);
    expect(sideA.floored).toBe(1);
  });

  it("lists the largest effects first", () => {
    const { a, b } = twoChannels();
    const { largest } = compareChannels({ steps: a }, { steps: b }, { resamples: 0, largest: 3 });
    expect(largest.map(({ trajectoryId, effect }) => [trajectoryId, effect])).toEqual([
      ["t5", 15],
      ["t4", 12],
      ["t3", 9],
    ]);
    // `audit` differs by 1 in every trajectory: of equal ones the first come first.
    const all = compareChannels({ steps: a }, { steps: b }, { resamples: 0, largest: 7 }).largest;
    expect(all.slice(5).map(({ trajectoryId, stepId }) => `${trajectoryId} ${stepId}`)).toEqual([
      "t0 s1",
      "t1 s1",
    ]);
  });

  it("says which settings differ, and whether they belong to one element", () => {
    const steps = twoChannels().a;
    const direct = { buffer: { kind: "none" }, evaluator: { model: "m", parameters: { topK: 1 } } };
    const rationale = { buffer: { kind: "generated", max_tokens: 128 }, evaluator: direct.evaluator };
    const one = compareChannels(
      { steps, protocol: rationale },
      { steps, protocol: direct },
      { resamples: 0 },
    );
    expect(one.differences).toEqual([
      { path: "buffer.kind", a: "generated", b: "none" },
      { path: "buffer.max_tokens", a: 128 },
    ]);
    expect(one.changedElements).toEqual(["buffer"]);
    const two = compareChannels(
      { steps, protocol: { ...rationale, evaluator: { model: "n", parameters: { topK: 2 } } } },
      { steps, protocol: direct },
      { resamples: 0 },
    );
    expect(two.warnings).toContain("several_elements_differ");
    expect(encodeComparison(two)["differences"]).toContainEqual({
      path: "evaluator.parameters.topK",
      a: 2,
      b: 1,
    });
    const same = compareChannels({ steps, protocol: direct }, { steps, protocol: direct }, { resamples: 0 });
    expect(same.warnings).toContain("same_protocol");
    expect(compared(steps, steps).warnings).toContain("protocol_unknown");
  });

  it("refuses a step that comes twice and a trajectory that comes again", () => {
    const step = stepOf("t", "s", 1);
    expect(codeOf(() => compared([step, step], [step]))).toBe("conflicting_records");
    expect(codeOf(() => compared([step], [step, { ...step }]))).toBe("conflicting_records");
    const comparer = createComparer({}, {});
    comparer.add([step], []);
    expect(codeOf(() => comparer.add([], [step]))).toBe("conflicting_records");
    expect(codeOf(() => comparer.add([stepOf("u", "s", 1)], [stepOf("v", "s", 1)]))).toBe("invalid_argument");
    // The refused ones left nothing behind.
    expect(comparer.finish().coverage).toMatchObject({ transitions: 1, onlyInA: 1 });
  });

  it("takes ids and step types named like object internals", () => {
    const names = ["__proto__", "constructor", "toString", "hasOwnProperty"];
    const steps = names.flatMap((t) => names.map((s) => stepOf(t, s, 1, { action: s })));
    const { coverage, stepTypes } = compared(steps, steps);
    expect(coverage).toMatchObject({ transitions: 16, paired: 16 });
    expect(stepTypes.map(({ action }) => action).toSorted()).toEqual(names.toSorted());
  });

  it.each([
    [{ resamples: -1 }, "resamples"],
    [{ seed: 0.5 }, "seed"],
    [{ zeroTolerance: NaN }, "zeroTolerance"],
    [{ largest: 1.5 }, "largest"],
  ])("refuses %o", (options, argument) => {
    expect(() => createComparer({}, {}, options)).toThrow(argument);
  });
});

describe("compareChannels on input that says little", () => {
  const zero = Array.from({ length: 6 }, (_, t) => stepOf(`t${t}`, "s", 0));
  const floors = zero.map((step) => ({ ...step, flags: ["floor" as const] }));
  const gone = zero.map(unscored);
  const cases: [string, DiagnosedStep[], DiagnosedStep[], string[]][] = [
    ["nothing", [], [], ["no_steps"]],
    ["one side empty", zero, [], ["no_pairs", "unequal_coverage"]],
    ["one trajectory", [stepOf("t", "s", 1)], [stepOf("t", "s", 2)], ["too_few_trajectories"]],
    ["all gains zero", zero, zero, ["few_trajectories", "no_paired_moves"]],
    ["all floors", floors, floors, ["few_trajectories", "no_paired_moves"]],
    ["one side unscored", gone, zero, ["no_pairs", "unequal_coverage"]],
    ["both sides unscored", gone, gone, ["no_pairs"]],
    ["no target", [stepOf("t", "s", undefined)], [stepOf("t", "s", undefined)], ["no_pairs"]],
  ];

  it.each(cases)("%s: is said, and nothing is NaN or null", (_, a, b, warnings) => {
    const found = compared(a, b);
    expect(found.warnings.filter((warning) => warning !== "protocol_unknown")).toEqual(warnings);
    expect(numbersOf(found).every(Number.isFinite)).toBe(true);
    expect(JSON.stringify(encodeComparison(found))).not.toContain("null");
  });

  it("withholds intervals with a reason, and means where there is no step", () => {
    const one = compared([stepOf("t", "s", 1)], [stepOf("t", "s", 2)]).all;
    expect(one.signed).toEqual({
      steps: 1,
      trajectories: 1,
      mean: -1,
      intervalAbsent: "too_few_trajectories",
    });
    expect(compared(zero, zero).all.signDisagreement.rate).toEqual({
      steps: 0,
      trajectories: 0,
      intervalAbsent: "no_values",
    });
    const { clean } = compared(floors, floors);
    expect(clean).toMatchObject({ pairs: 0, excludedPairs: 6, signed: { intervalAbsent: "no_values" } });
  });

  it("counts the pairs whose entropy moved", () => {
    const { a, b } = twoChannels();
    const moved = a.map((step, i) => {
      const entropyMovement = i < 3 ? [0.2, -0.1, 1e-10][i]! : 0;
      return { ...step, diagnostics: { ...step.diagnostics!, entropyMovement } };
    });
    const found = compared(moved, b, 0);
    expect(found.a.entropyMovement!.moved).toBe(2);
    expect(found.a.entropyMovement!.mean).toBeCloseTo((0.1 + 1e-10) / 12, 15);
    expect(found.b.entropyMovement).toEqual({ mean: 0, moved: 0 });
  });

  it("has no surprise to report without a pair", () => {
    const { a } = compared(zero, []);
    expect(a).not.toHaveProperty("surprise");
    expect(a).toMatchObject({ steps: 6, withGain: 6, floored: 0 });
    expect(compared(zero, zero).a).toMatchObject({ surprise: { mean: 0, max: 0 } });
  });
});

it("encodes a comparison in snake_case", () => {
  const { a, b } = twoChannels();
  const encoded = encodeComparison(compared(a, b));
  expect(encoded).toMatchObject({
    schema_version: "asv.comparison.v1",
    coverage: { only_in_a: 0 },
    all: { sign_disagreement: { both_moved: 5 }, damage: { only_b: 5 } },
  });
  expect(JSON.parse(JSON.stringify(encoded))).toEqual(encoded);
  expect(JSON.stringify(encoded)).not.toMatch(/"[a-z]+[A-Z]\w*":/);
});

it("tells a margin from −1 as one that could be repaired", () => {
  const a = [stepOf("t", "s", 3, { diagnostics: diagnosticsOf(3, -1) })];
  const b = [stepOf("t", "s", 0, { diagnostics: diagnosticsOf(0, -1) })];
  const { repair, damage } = compared(a, b).all;
  expect(repair.a).toMatchObject({ count: 1, eligible: 1 });
  expect(repair.b).toMatchObject({ count: 0, eligible: 1 });
  expect(damage.a).toMatchObject({ count: 0, eligible: 0 });
});

/** `back` is `forth` with the channels exchanged, to the last digit. */
function expectMirrored(forth: ChannelEffect, back: ChannelEffect): void {
  expect(back.a).toEqual(forth.b);
  expect(back.b).toEqual(forth.a);
  expect(back.absolute).toEqual(forth.absolute);
  expect(back.signed.mean! + 0).toBe(-forth.signed.mean! + 0);
  expect(back.signed.interval === undefined).toBe(forth.signed.interval === undefined);
  if (forth.signed.interval !== undefined) {
    expect(back.signed.interval!.low + 0).toBe(-forth.signed.interval.high + 0);
    expect(back.signed.interval!.high + 0).toBe(-forth.signed.interval.low + 0);
  }
  for (const reading of ["signDisagreement", "signDisagreementSixDecimals"] as const) {
    const { onlyAMoved, onlyBMoved, ...rest } = forth[reading];
    expect(back[reading]).toEqual({ ...rest, onlyAMoved: onlyBMoved, onlyBMoved: onlyAMoved });
  }
  expect([back.damage.a, back.damage.onlyA]).toEqual([forth.damage.b, forth.damage.onlyB]);
}
