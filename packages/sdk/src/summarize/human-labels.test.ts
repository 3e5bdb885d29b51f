import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { DiagnosedStep } from "../diagnose/index.ts";
import { sharedFile } from "../testing/shared-data.ts";
import { humanLabels, type LabelledTrajectory } from "./human-labels.ts";
import { hitWithin, normalisedRank, reciprocalRank, tieGroups } from "./label-rank.ts";
import { randomHits } from "./random-hits.ts";
import { randomRankBand } from "./random-rank-band.ts";
import { summarize } from "./summarize.ts";

const options = { severalLabels: 0, tolerance: 1e-9, seed: 7 };
const logs = sharedFile("data/who-and-when/algorithm-generated-96.jsonl");

/** A trajectory whose gains are given and whose label sits on one of them. */
function labelled(gains: number[], at: number): LabelledTrajectory {
  return {
    labelledIndex: at,
    steps: gains.length,
    gains,
    surprises: gains.map(Math.abs),
    labelled: at,
  };
}

describe("label ranks", () => {
  it("groups ties and gives them the places they share", () => {
    expect(tieGroups([1, 5, 1, 7], 0)).toEqual([
      { first: 1, last: 1, members: [3] },
      { first: 2, last: 2, members: [1] },
      { first: 3, last: 4, members: [0, 2] },
    ]);
    expect(tieGroups([1, 1 + 1e-12], 1e-9)).toHaveLength(1);
  });

  it("takes the mean place, the chance of a hit, and the mean reciprocal under ties", () => {
    const tied = { steps: 5, first: 2, last: 4 };
    expect(normalisedRank(tied)).toBe(0.5);
    expect([1, 2, 3, 4].map((k) => hitWithin(k, tied))).toEqual([0, 1 / 3, 2 / 3, 1]);
    expect(reciprocalRank(tied)).toBeCloseTo((1 / 2 + 1 / 3 + 1 / 4) / 3, 15);
    expect(normalisedRank({ steps: 5, first: 1, last: 1 })).toBe(0);
    expect(normalisedRank({ steps: 5, first: 5, last: 5 })).toBe(1);
  });
});

describe("randomRankBand", () => {
  it("multiplies out two trajectories of three steps", () => {
    // Ranks 0, ½, 1 each: the mean takes 0, ¼, ½, ¾, 1 with weights 1, 2, 3, 2, 1 of 9.
    const ladder = { steps: 3, doubledRanks: [2, 4, 6] };
    const band = randomRankBand([ladder, ladder], 0.25, 7);
    expect(band.method).toBe("exact");
    expect([band.low, band.high]).toEqual([0, 1]);
    expect(band.pValue).toBeCloseTo(3 / 9, 14);
    expect(band.pValueTwoSided).toBeCloseTo(6 / 9, 14);
    expect(randomRankBand([ladder, ladder], 1, 7).pValue).toBeCloseTo(1, 14);
    expect(randomRankBand([ladder, ladder], 0, 7).pValue).toBeCloseTo(1 / 9, 14);
  });

  it("has no spread when everything is tied", () => {
    const flat = { steps: 4, doubledRanks: [5, 5, 5, 5] };
    const band = randomRankBand([flat, flat, flat], 0.5, 7);
    expect(band).toMatchObject({ method: "exact", low: 0.5, high: 0.5, pValue: 1, pValueTwoSided: 1 });
  });

  it("draws instead, and says so, when lengths share no small grid; the answers agree", () => {
    const primes = [101, 103, 107, 109, 113, 127];
    const ladders = primes.map((steps) => ({
      steps,
      doubledRanks: Array.from({ length: steps }, (_, i) => 2 * (i + 1)),
    }));
    const drawn = randomRankBand(ladders, 0.3, 7);
    expect(drawn).toMatchObject({ method: "monte_carlo", draws: 100_000, seed: 7 });
    expect(drawn.random).toContain("xoroshiro128plus");
    // Sum of six nearly uniform values: standard deviation √(1/12/6) = 0.1179.
    expect(drawn.low).toBeCloseTo(0.5 - 1.96 * 0.1179, 1);
    expect(drawn.high).toBeCloseTo(0.5 + 1.96 * 0.1179, 1);
    const equal = Array.from({ length: 6 }, () => ladders[0]!);
    const exact = randomRankBand(equal, 0.3, 7);
    expect(exact.method).toBe("exact");
    expect(Math.abs(exact.pValue - drawn.pValue)).toBeLessThan(0.006);
    expect(Math.abs(exact.low - drawn.low)).toBeLessThan(0.01);
  });

  it("is symmetric about one half without ties", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 2, max: 9 }), { minLength: 1, maxLength: 12 }), (lengths) => {
        const ladders = lengths.map((steps) => ({
          steps,
          doubledRanks: Array.from({ length: steps }, (_, i) => 2 * (i + 1)),
        }));
        const low = randomRankBand(ladders, 0, 7);
        expect(low.method).toBe("exact");
        expect(low.pValue).toBeCloseTo(
          lengths.reduce((product, n) => product / n, 1),
          12,
        );
        expect(randomRankBand(ladders, 0.5, 7).pValue).toBeGreaterThanOrEqual(0.5 - 1e-12);
      }),
    );
  });
});

describe("randomHits", () => {
  it("is certain where k covers every step", () => {
    expect(randomHits(3, [2, 3, 1], 3)).toEqual({ expected: 3, upper95: 3, upper99: 3, pValue: 1 });
  });

  it("multiplies out two trajectories", () => {
    // Chances ½ and ¼: none 3/8, one 4/8, both 1/8.
    const found = randomHits(1, [2, 4], 1);
    expect(found).toMatchObject({ expected: 0.75, upper95: 2, upper99: 2, pValue: 0.625 });
    expect(randomHits(1, [2, 4], 1.5).pValue).toBe(0.625);
    expect(randomHits(1, [2, 4], 0).pValue).toBe(1);
  });
});

describe("humanLabels", () => {
  it("is absent without labels", () => {
    expect(humanLabels([], options)).toBeUndefined();
  });

  it("ranks the most negative gain first and the largest surprise first", () => {
    const trajectory = { ...labelled([0, -5, 2], 1), surprises: [9, 1, 4] };
    const found = humanLabels([trajectory], options)!;
    expect(found.byMarginGain).toMatchObject({
      trajectories: 1,
      unranked: 0,
      meanRank: 0,
      meanReciprocalRank: 1,
    });
    expect(found.byMarginGain!.hits.map(({ hits }) => hits)).toEqual([1, 1, 1]);
    expect(found.bySurprise).toMatchObject({ meanRank: 1, meanReciprocalRank: 1 / 3 });
    expect(found.bySurprise!.hits.map(({ hits }) => hits)).toEqual([0, 0, 1]);
  });

  it("gives exactly the chance values when nothing moves", () => {
    const still = Array.from({ length: 8 }, (_, i) => labelled([0, 0, 0, 0], i % 4));
    const { byMarginGain } = humanLabels(still, options)!;
    expect(byMarginGain!.meanRank).toBe(0.5);
    for (const { rate, expectedRate } of byMarginGain!.hits) expect(rate).toBeCloseTo(expectedRate, 14);
  });

  it("counts a labelled step that was not measured as unranked, never as a miss", () => {
    const lost: LabelledTrajectory = { ...labelled([1, 2], 0), labelled: undefined, steps: 3 };
    const single = labelled([1], 0);
    const noGain = labelled([NaN, 1, 2], 0);
    const found = humanLabels([lost, single, noGain, labelled([-1, 0], 0)], options)!;
    expect(found.byMarginGain).toMatchObject({ trajectories: 1, unranked: 3, meanRank: 0 });
    expect(found.trajectories).toBe(4);
    expect(humanLabels([lost], options)).not.toHaveProperty("byMarginGain");
  });

  it("compares each ranking with positions on the trajectories it ranked, and no others", () => {
    const ranked = [labelled([-1, 0, 0], 0), labelled([0, -1], 1)];
    const unscored = { ...labelled([], 0), steps: 10, labelledIndex: 1, labelled: undefined };
    const noGain = { ...labelled([NaN, 0, 1, 2], 0), surprises: [3, 2, 1, 0], labelledIndex: 2, steps: 4 };
    const found = humanLabels([...ranked, unscored, unscored, noGain], options)!;
    // By gain two are ranked, labels at 0 of 3 steps and 1 of 2; by surprise a third, at 2 of 4.
    expect(found.byMarginGain).toMatchObject({ trajectories: 2, unranked: 3 });
    expect(found.byMarginGain!.positions).toEqual(humanLabels(ranked, options)!.positions);
    expect(found.byMarginGain!.positions).toMatchObject({
      uniformRate: (1 / 3 + 1 / 2) / 2,
      alwaysFirst: { hits: 1, rate: 0.5 },
      alwaysSecond: { hits: 1, rate: 0.5 },
      best: { step: 0, hits: 1, rate: 0.5 },
      earliestFirst: { meanRank: (0 + 1) / 2 },
    });
    expect(found.bySurprise!.positions).toMatchObject({
      uniformRate: (1 / 3 + 1 / 2 + 1 / 4) / 3,
      earliestFirst: { meanRank: (0 + 1 + 2 / 3) / 3 },
    });
    expect(found.positions).toMatchObject({
      alwaysSecond: { hits: 3, rate: 0.6 },
      best: { step: 1, hits: 3 },
    });
  });

  it("ranks among the steps that have a gain", () => {
    const found = humanLabels([labelled([NaN, -2, NaN, 0, 1], 3)], options)!;
    expect(found.byMarginGain).toMatchObject({ meanRank: 0.5 });
    expect(found.byMarginGain!.hits[0]!.expected).toBeCloseTo(1 / 3, 15);
  });

  it("names the best constant position and the lowest of equals", () => {
    const at = [3, 1, 1, 3, 0].map((index) => ({ ...labelled([0, 0, 0, 0], index), labelledIndex: index }));
    const { positions } = humanLabels(at, options)!;
    expect(positions.best).toEqual({ step: 1, hits: 2, rate: 0.4 });
    expect(positions.alwaysFirst).toEqual({ step: 0, hits: 1, rate: 0.2 });
    expect(positions.alwaysSecond).toEqual({ step: 1, hits: 2, rate: 0.4 });
    expect(positions.uniformRate).toBe(0.25);
  });

  it("ranks by position alone, earliest first", () => {
    const at = [3, 1, 1, 3, 0].map((index) => ({ ...labelled([0, 0, 0, 0], index), labelledIndex: index }));
    // (3/3 + 1/3 + 1/3 + 3/3 + 0/3) / 5 = 8/15; within the first 1, 2, 3 steps stand 1, 3, 3 labels.
    const earliest = humanLabels(at, options)!.positions.earliestFirst!;
    expect(earliest.meanRank).toBeCloseTo(8 / 15, 15);
    expect(earliest.hits.map(({ hits }) => hits)).toEqual([1, 3, 3]);
    const past = { ...labelled([0, 0], 1), labelledIndex: 9 };
    expect(() => humanLabels([past], options)).toThrow(/places\[0\] must be a place from 0 below 2/);
    expect(humanLabels([labelled([1], 0)], options)!.positions).not.toHaveProperty("earliestFirst");
  });

  it("takes a step's place from its trajectory, not from the number it carries", () => {
    const step = (trajectoryId: string, place: number, start: number): DiagnosedStep => ({
      trajectoryId,
      stepId: `s${place}`,
      index: start + place,
      action: "a",
      protocolId: "p",
      evaluatorKind: "e",
      flags: [],
      ...(place === 1 && { label: "mistake" }),
    });
    const positionsOf = (start: number) => {
      const steps = ["t1", "t2", "t3", "t4", "t5", "t6"].flatMap((id) =>
        [0, 1, 2, 3].map((place) => step(id, place, start)),
      );
      return summarize(steps, { resamples: 0 }).humanLabels!.positions;
    };
    expect(positionsOf(0).best).toEqual({ step: 1, hits: 6, rate: 1 });
    expect(positionsOf(5)).toEqual(positionsOf(0));
  });

  it("reaches the summary from step labels, and leaves trajectories with several out", () => {
    const one = (trajectoryId: string, index: number, gain: number, label?: string): DiagnosedStep => ({
      trajectoryId,
      stepId: `s${index}`,
      index,
      action: "a",
      protocolId: "p",
      evaluatorKind: "e",
      diagnostics: {
        beliefBefore: {},
        beliefAfter: {},
        entropyBefore: 0,
        entropyAfter: 0,
        entropyMovement: 0,
        surprise: 0,
        marginBefore: 0,
        marginAfter: gain,
        marginGain: gain,
        flags: [],
      },
      flags: [],
      ...(label === undefined ? {} : { label }),
    });
    const steps = [
      one("t0", 0, 1),
      one("t1", 0, 0, "mistake"),
      one("t0", 1, -3, "mistake"),
      one("t1", 1, 0, "mistake"),
      one("t2", 0, 0),
    ];
    const { humanLabels: found } = summarize(steps);
    expect(found).toMatchObject({ trajectories: 1, severalLabels: 1, byMarginGain: { meanRank: 0 } });
    expect(found!.positions.best.step).toBe(1);
    expect(summarize(steps.slice(0, 1))).not.toHaveProperty("humanLabels");
  });
});

describe.skipIf(logs === undefined)("chance on the 96 Who&When logs", () => {
  const cases = () =>
    readFileSync(logs!, "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as { history: unknown[]; mistake_step: string })
      // Gains that fall with the step number: no ties, and the label's place is its rank from the end.
      .map(({ history, mistake_step }) =>
        labelled(
          history.map((_, i) => -i),
          Number(mistake_step),
        ),
      );

  it("has the published bars", () => {
    const found = humanLabels(cases(), options)!;
    expect(found.trajectories).toBe(96);
    expect(found.positions.uniformRate).toBeCloseTo(0.12, 3);
    expect(found.positions.best).toMatchObject({ step: 1, hits: 22 });
    expect(found.positions.best.rate).toBeCloseTo(0.229, 3);
    expect(found.positions.alwaysFirst).toMatchObject({ hits: 15 });
    const { random, hits } = found.byMarginGain!;
    expect(random.method).toBe("exact");
    // The exact band is symmetric about one half; 0.435 to 0.563 is a simulated estimate of it.
    expect(random.low).toBeCloseTo(0.4348, 4);
    expect(random.high).toBeCloseTo(0.5652, 4);
    expect(hits[0]).toMatchObject({ upper95: 17, upper99: 19 });
    expect(hits[0]!.expectedRate).toBeCloseTo(0.12, 3);
    expect(hits[1]!.expectedRate).toBeCloseTo(0.24, 2);
    expect(hits[2]!.expectedRate).toBeCloseTo(0.36, 2);
  });
});
