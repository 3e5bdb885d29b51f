import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AsvError } from "../errors/index.ts";
import { MAX_LOG_SCORE, type ByCandidate, type StepDiagnostics } from "../schema/index.ts";
import { sharedFile } from "../testing/shared-data.ts";
import { diagnoseTransition } from "./diagnose-transition.ts";
import { temperatureProbe } from "./temperature-probe.ts";

const metricVectors = sharedFile("reference/metric_vectors.jsonl");
const mappingVectors = sharedFile("reference/mapping_vectors.jsonl");

function readLines<T>(path: string): T[] {
  return readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as T);
}

/** Equal within 1e-9, relative or absolute. */
function expectClose(actual: number | undefined, expected: number): void {
  expect(Math.abs(actual! - expected)).toBeLessThanOrEqual(1e-9 * Math.max(1, Math.abs(expected)));
}

interface MetricVector {
  gold: string;
  scores_before: ByCandidate;
  scores_after: ByCandidate;
  paper: {
    entropy_before: number;
    entropy_after: number;
    entropy_movement: number;
    surprise_kl: number;
    margin_before: number;
    margin_after: number;
    margin_gain: number;
    damage: boolean;
    repair: boolean;
  };
}

interface MappingVector {
  gold: string;
  scores_before: ByCandidate[];
  scores_after: ByCandidate[];
  paper: {
    entropy_movement: number;
    margin_gain: number;
    mean_belief_before: ByCandidate;
    mean_belief_after: ByCandidate;
    surprise_kl_of_mean_beliefs: number;
  };
  unrounded_extra: { margin_gain_range_over_mappings: number };
}

describe.skipIf(metricVectors === undefined)("against 60-digit arithmetic", () => {
  it("holds all 100 single-mapping vectors to 1e-9", () => {
    const vectors = readLines<MetricVector>(metricVectors!);
    expect(vectors).toHaveLength(100);
    for (const { gold, scores_before, scores_after, paper } of vectors) {
      const found = diagnoseTransition({ before: [scores_before], after: [scores_after], targetId: gold });
      expectClose(found.entropyBefore, paper.entropy_before);
      expectClose(found.entropyAfter, paper.entropy_after);
      expectClose(found.entropyMovement, paper.entropy_movement);
      expectClose(found.surprise, paper.surprise_kl);
      expectClose(found.marginBefore, paper.margin_before);
      expectClose(found.marginAfter, paper.margin_after);
      expectClose(found.marginGain, paper.margin_gain);
      expect([found.damage, found.repair]).toEqual([paper.damage, paper.repair]);
    }
  });
});

describe.skipIf(mappingVectors === undefined)("against 60-digit arithmetic, four mappings", () => {
  it("holds all 20 vectors to 1e-9", () => {
    const vectors = readLines<MappingVector>(mappingVectors!);
    expect(vectors).toHaveLength(20);
    for (const { gold, scores_before, scores_after, paper, unrounded_extra } of vectors) {
      const found = diagnoseTransition({ before: scores_before, after: scores_after, targetId: gold });
      expectClose(found.entropyMovement, paper.entropy_movement);
      expectClose(found.marginGain, paper.margin_gain);
      expectClose(found.surprise, paper.surprise_kl_of_mean_beliefs);
      expectClose(found.layoutSpread, unrounded_extra.margin_gain_range_over_mappings);
      for (const id of Object.keys(paper.mean_belief_before)) {
        expectClose(found.beliefBefore[id], paper.mean_belief_before[id]!);
        expectClose(found.beliefAfter[id], paper.mean_belief_after[id]!);
      }
    }
  });
});

describe("diagnoseTransition", () => {
  const before = { a: 0, b: -1, c: -20 };
  const after = { a: -2, b: 0, c: -20 };

  it("reads a small case by hand", () => {
    const found = diagnoseTransition({ before: [before], after: [after], targetId: "a" });
    // Margins: 0 − (−1) = 1 before, −2 − 0 = −2 after.
    expect(found.marginBefore).toBe(1);
    expect(found.marginAfter).toBe(-2);
    expect(found.marginGain).toBe(-3);
    expect(found.damage).toBe(true);
    expect(found.repair).toBe(false);
    expect(found.layoutSpread).toBe(0);
    expect(found.flags).toEqual([]);
    expect(found.floorInterval).toBeUndefined();
  });

  it("reports margins as absent without a target, and says so", () => {
    const found = diagnoseTransition({ before: [before], after: [after] });
    expect(found.flags).toEqual(["no_target"]);
    expect(found).not.toHaveProperty("marginGain");
    expect(found).not.toHaveProperty("damage");
    expect(found.surprise).toBeGreaterThan(0);
  });

  it("has margin zero and a flag when all candidates score alike", () => {
    const flat = { a: -1.5, b: -1.5, c: -1.5 };
    const found = diagnoseTransition({ before: [flat], after: [flat], targetId: "b" });
    expect(found.marginBefore).toBe(0);
    expect(found.marginGain).toBe(0);
    expect(found.damage).toBe(false);
    expect(found.flags).toEqual(["degenerate_distribution"]);
    expect(found.entropyBefore).toBeCloseTo(Math.log(3), 15);
  });

  it("takes a margin within the tolerance as a tie: no first choice, so nothing to damage", () => {
    const hair = { a: 1e-10, b: 0 };
    const lost = { a: -1, b: 0 };
    expect(diagnoseTransition({ before: [hair], after: [lost], targetId: "a" }).damage).toBe(false);
    const exact = { before: [hair], after: [lost], targetId: "a", zeroTolerance: 0 };
    expect(diagnoseTransition(exact).damage).toBe(true);
  });

  it("takes a tie as a lost first choice, and one left as a repair, without any tolerance", () => {
    const [first, tie] = [
      { a: 1, b: 0 },
      { a: 0, b: 0 },
    ];
    const lost = diagnoseTransition({ before: [first], after: [tie], targetId: "a", zeroTolerance: 0 });
    expect([lost.marginAfter, lost.damage, lost.repair]).toEqual([0, true, false]);
    const won = diagnoseTransition({ before: [tie], after: [first], targetId: "a", zeroTolerance: 0 });
    expect([won.marginBefore, won.damage, won.repair]).toEqual([0, false, true]);
    const still = diagnoseTransition({ before: [tie], after: [tie], targetId: "a", zeroTolerance: 0 });
    expect([still.damage, still.repair]).toEqual([false, false]);
  });

  it("keeps an id like __proto__ or constructor apart", () => {
    const scores = JSON.parse('{"__proto__": 0, "constructor": -1}') as ByCandidate;
    const found = diagnoseTransition({ before: [scores], after: [scores], targetId: "__proto__" });
    expect(found.marginBefore).toBe(1);
    expect(Object.keys(found.beliefBefore)).toEqual(["__proto__", "constructor"]);
    expect(Object.getPrototypeOf(found.beliefBefore)).toBe(Object.prototype);
  });

  it("carries floored labels as an interval and a flag", () => {
    const found = diagnoseTransition({
      before: [before],
      after: [after],
      targetId: "a",
      flooredAfter: [{ ids: ["a"], bound: -1.5 }],
    });
    expect(found.flags).toEqual(["floor"]);
    // After: the target lies in (−∞, −1.5] against 0; before it is exact: G in (−∞, −1.5 − 1].
    expect(found.floorInterval).toEqual({ high: -2.5 });
  });

  it.each<[string, Parameters<typeof diagnoseTransition>[0], string]>([
    ["no mapping", { before: [], after: [] }, "before must be at least one mapping"],
    [
      "other numbers of mappings",
      { before: [before], after: [after, after] },
      "as many mappings as before (1)",
    ],
    ["one candidate", { before: [{ a: 0 }], after: [{ a: 0 }] }, "at least two candidates"],
    ["other candidates", { before: [before], after: [{ a: 0, b: 0, d: 0 }] }, "after[0] must be values of"],
    ["a missing candidate", { before: [before], after: [{ a: 0, b: 0 }] }, "after[0] must be values of"],
    ["an inherited name", { before: [{ a: 0, toString: 0 }], after: [{ a: 0, b: 1 }] }, "after[0] must be"],
    ["NaN", { before: [before], after: [{ ...after, c: NaN }] }, 'after[0]["c"] must be a finite number'],
    ["−∞", { before: [{ ...before, a: -Infinity }], after: [after] }, 'before[0]["a"] must be a finite'],
    ["an overflow", { before: [before], after: [{ ...after, c: 1e308 }] }, "within ±1000000, got 1e+308"],
    [
      "a bound that overflows",
      { before: [before], after: [after], flooredAfter: [{ ids: ["a"], bound: -1e308 }] },
      "flooredAfter[0].bound must be a finite number within ±1000000",
    ],
    ["a foreign target", { before: [before], after: [after], targetId: "z" }, "targetId must be one of"],
    ["epsilon 0", { before: [before], after: [after], epsilon: 0 }, "epsilon must be a number above 0"],
    [
      "a negative tolerance",
      { before: [before], after: [after], zeroTolerance: -1 },
      "zeroTolerance must be",
    ],
    [
      "a floored stranger",
      { before: [before], after: [after], targetId: "a", flooredBefore: [{ ids: ["z"] }] },
      "flooredBefore must be ids of scored candidates",
    ],
  ])("refuses %s", (_, input, message) => {
    let caught: unknown;
    try {
      diagnoseTransition(input);
    } catch (error) {
      caught = error;
    }
    expect(AsvError.isInstance(caught) && caught.code).toBe("invalid_argument");
    expect(String(caught)).toContain(message);
  });
});

/** Every number of a result, to look for NaN and infinities. */
function numbersOf(value: unknown): number[] {
  if (typeof value === "number") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(numbersOf);
}

describe("properties of one transition", () => {
  const score = fc.double({ min: -25, max: 0, noNaN: true });
  const ids = ["g", "x", "y", "z"];
  const state = fc
    .tuple(score, score, score, score)
    .map((values): ByCandidate => Object.fromEntries(ids.map((id, i) => [id, values[i]!])));
  const mappings = fc
    .integer({ min: 1, max: 4 })
    .chain((count) =>
      fc.tuple(
        fc.array(state, { minLength: count, maxLength: count }),
        fc.array(state, { minLength: count, maxLength: count }),
      ),
    );
  const map = (records: ByCandidate[], change: (value: number, id: string) => number) =>
    records.map((record) =>
      Object.fromEntries(Object.entries(record).map(([id, value]) => [id, change(value, id)])),
    );
  const measure = (before: ByCandidate[], after: ByCandidate[]): StepDiagnostics =>
    diagnoseTransition({ before, after, targetId: "g" });
  const near = (actual: number | undefined, expected: number | undefined, within = 1e-7) =>
    expect(Math.abs(actual! - expected!)).toBeLessThanOrEqual(within);

  it("does not move when a constant is added to all scores of a state", () => {
    fc.assert(
      fc.property(mappings, score, score, ([before, after], up, down) => {
        const plain = measure(before, after);
        const shifted = measure(
          map(before, (value) => value + up),
          map(after, (value) => value + down),
        );
        near(shifted.marginGain, plain.marginGain);
        near(shifted.surprise, plain.surprise);
        near(shifted.entropyMovement, plain.entropyMovement);
        near(shifted.layoutSpread, plain.layoutSpread);
      }),
    );
  });

  it("does not depend on the order in which candidates are written", () => {
    fc.assert(
      fc.property(mappings, fc.shuffledSubarray(ids, { minLength: 4 }), ([before, after], order) => {
        const turn = (records: ByCandidate[]) =>
          records.map((record) => Object.fromEntries(order.map((id) => [id, record[id]!])));
        const plain = measure(before, after);
        const turned = measure(turn(before), turn(after));
        near(turned.marginGain, plain.marginGain, 1e-12);
        near(turned.surprise, plain.surprise, 1e-9);
        near(turned.entropyMovement, plain.entropyMovement, 1e-12);
        for (const id of ids) near(turned.beliefAfter[id], plain.beliefAfter[id], 1e-12);
      }),
    );
  });

  it("changes the sign of G and ΔH, and exchanges damage and repair, when the states are swapped", () => {
    fc.assert(
      fc.property(mappings, ([before, after]) => {
        const forth = measure(before, after);
        const back = measure(after, before);
        near(back.marginGain, -forth.marginGain!, 1e-12);
        near(back.entropyMovement, -forth.entropyMovement, 1e-12);
        near(back.layoutSpread, forth.layoutSpread, 1e-12);
        expect([back.damage, back.repair]).toEqual([forth.repair, forth.damage]);
        expect(forth.damage && forth.repair).toBe(false);
      }),
    );
  });

  it("never has negative surprise or layout spread, nor any of either without a move", () => {
    fc.assert(
      fc.property(mappings, ([before, after]) => {
        const found = measure(before, after);
        expect(found.surprise).toBeGreaterThanOrEqual(0);
        expect(found.layoutSpread).toBeGreaterThanOrEqual(0);
        const still = measure(before, before);
        expect([still.surprise, still.marginGain, still.entropyMovement, still.layoutSpread]).toEqual([
          0, 0, 0, 0,
        ]);
        expect(measure([before[0]!], [after[0]!]).layoutSpread).toBe(0);
      }),
    );
  });

  it("gives finite numbers for every score and bound it accepts", () => {
    const edge = fc.oneof(
      fc.constantFrom(MAX_LOG_SCORE, -MAX_LOG_SCORE, 0, 5e-324),
      fc.double({ min: -MAX_LOG_SCORE, max: MAX_LOG_SCORE, noNaN: true }),
    );
    const extreme = fc
      .tuple(edge, edge, edge, edge)
      .map((values): ByCandidate => Object.fromEntries(ids.map((id, i) => [id, values[i]!])));
    const floored = fc.record({ ids: fc.subarray(ids), bound: fc.option(edge, { nil: undefined }) });
    fc.assert(
      fc.property(extreme, extreme, floored, floored, (before, after, flooredBefore, flooredAfter) => {
        const found = diagnoseTransition({
          before: [before],
          after: [after],
          targetId: "g",
          flooredBefore: [flooredBefore],
          flooredAfter: [flooredAfter],
        });
        const readings = temperatureProbe([before], [after], [1e-6, 1, 10]);
        for (const value of numbersOf([found, readings])) expect(value).toSatisfy(Number.isFinite);
      }),
    );
  });

  it("contains G in the floor interval when no floored score exceeds its bound", () => {
    const floored = fc.subarray(ids, { minLength: 1 });
    fc.assert(
      fc.property(state, state, floored, floored, (before, after, a, b) => {
        const found = diagnoseTransition({
          before: [before],
          after: [after],
          targetId: "g",
          flooredBefore: [{ ids: a, bound: 0 }],
          flooredAfter: [{ ids: b, bound: 0 }],
        });
        const { low = -Infinity, high = Infinity } = found.floorInterval!;
        expect(low).toBeLessThanOrEqual(found.marginGain! + 1e-12);
        expect(high).toBeGreaterThanOrEqual(found.marginGain! - 1e-12);
      }),
    );
  });
});
