import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { TopLogprob } from "../schema/index.ts";
import { sharedFile } from "../testing/shared-data.ts";
import { readLabelScores, type LabelReading } from "./read-label-scores.ts";

const two = { A: "c1", B: "c2" };
const bounded = { rule: "bounded" as const, score: -20 };
const constant = { rule: "constant" as const, score: -20 };
const list = (...rows: [token: string, logprob: number | null, bytes?: number[] | null][]): TopLogprob[] =>
  rows.map(([token, logprob, bytes]) => ({ token, logprob, ...(bytes !== undefined && { bytes }) }));
const read = (topLogprobs: TopLogprob[], more: Partial<LabelReading> = {}) =>
  readLabelScores({ topLogprobs, labelToCandidate: two, floor: bounded, ...more });

describe("label variants", () => {
  it.each([
    "A",
    " A",
    "\nA",
    "A.",
    "A)",
    "(A",
    "(A)",
    '"A"',
    "**A",
    "**A**",
    "▁A",
    "ĠA",
    "ĊA",
    "<0x0A>A",
    "A:",
    "A：",
    "\tA ",
    "`A`",
    "'A'",
  ])("%j is A", (token) => {
    const { scores, floored } = read(list([token, -0.5], ["B", -3]));
    expect(scores).toEqual({ c1: -0.5, c2: -3 });
    expect(floored).toEqual([]);
  });

  it.each(["a", " a", "А", "Ａ", "ᴬ", "Option A", "A1", "AB", "A,", "-A", "á", "", " ", "**", "1"])(
    "%j is not A",
    (token) => {
      expect(read(list([token, -0.5], ["B", -3])).floored).toEqual(["c1"]);
    },
  );

  it("goes by bytes where there are any", () => {
    // The token text of a byte-level tokenizer can be anything; 0x20 0x41 is " A".
    expect(read(list(["\ufffd", -0.5, [0x20, 0x41]], ["B", -3, [0x42]])).scores).toEqual({
      c1: -0.5,
      c2: -3,
    });
    expect(read(list(["A", -0.5, [0xd0, 0x90]], ["B", -3, [0x42]])).floored).toEqual(["c1"]);
    expect(read(list(["A", -0.5, null], ["B", -3, []])).floored).toEqual([]);
    expect(read(list(["A", -0.5, [0xd0]], ["B", -3])).floored).toEqual(["c1"]);
  });
});

describe("scores", () => {
  it("adds the probabilities of distinct variants (eq. 1)", () => {
    // ln(0.5 + 0.25) and ln(0.125)
    const { scores, labelMass, flags } = read(
      list(["A", Math.log(0.5)], [" A", Math.log(0.25)], ["B", Math.log(0.125)]),
    );
    expect(scores["c1"]).toBeCloseTo(Math.log(0.75), 12);
    expect(scores["c2"]).toBeCloseTo(Math.log(0.125), 12);
    expect(labelMass).toBeCloseTo(0.875, 12);
    expect(flags).toEqual([]);
  });

  it("counts a token once that is listed twice, and says so", () => {
    const { scores, flags } = read(list(["A", -1, [65]], ["A", -1.5, [65]], ["B", -2]));
    expect(scores).toEqual({ c1: -1, c2: -2 });
    expect(flags).toContain("duplicate_token");
  });

  it("parts of characters are different tokens, though their text is the same", () => {
    const { flags } = read(
      list(["\ufffd", -1, [0xe2, 0x96]], ["\ufffd", -2, [0xe2, 0x97]], ["A", -1], ["B", -2]),
    );
    expect(flags).not.toContain("duplicate_token");
  });

  it("the emitted token counts once, in the list or out of it", () => {
    const inside = read(list(["A", -0.2], ["B", -3]), { firstToken: { token: "A", logprob: -0.2 } });
    expect(inside).toMatchObject({ scores: { c1: -0.2, c2: -3 }, flags: [] });
    const outside = read(list(["B", -0.2], ["x", -3]), { firstToken: { token: "A", logprob: -4 } });
    expect(outside).toMatchObject({ scores: { c1: -4, c2: -0.2 }, floored: [], flags: [] });
    const withBytes = read(list(["A", -0.2, [65]], ["B", -3]), { firstToken: { token: "A", logprob: -0.2 } });
    expect(withBytes.scores["c1"]).toBe(-0.2);
  });

  it("the emitted token counts once when the server spells it otherwise than in the list", () => {
    const entries = list([" A", Math.log(0.4)], ["B", Math.log(0.5)]);
    const trimmed = read(entries, { firstToken: { token: "A", logprob: Math.log(0.4) } });
    expect(trimmed.scores["c1"]).toBeCloseTo(Math.log(0.4), 12);
    // Another value is another token: 0.4 + 0.05.
    const other = read(entries, { firstToken: { token: "A", logprob: Math.log(0.05) } });
    expect(other.scores["c1"]).toBeCloseTo(Math.log(0.45), 12);
  });

  it("an emitted token that is no label is flagged; the list is read all the same", () => {
    const { scores, flags } = read(list(["The", -0.1], ["A", -3], ["B", -4]), {
      firstToken: { token: "The", logprob: -0.1 },
    });
    expect(scores).toEqual({ c1: -3, c2: -4 });
    expect(flags).toEqual(["first_token_not_label", "low_label_mass"]);
  });

  it.each([null, -9000, -9999, -Infinity, Number.NaN])("%j is no value: the label is absent", (value) => {
    const { scores, floored, flags, labelMass } = read(list(["A", value], ["B", -0.1]));
    expect(scores).toEqual({ c1: -20, c2: -0.1 });
    expect(floored).toEqual(["c1"]);
    expect(flags).toEqual(["floor"]);
    expect(labelMass).toBeCloseTo(Math.exp(-0.1), 12);
  });

  it("no values at all is an error, not a floor for everybody", () => {
    for (const empty of [[], list(["A", -9999], ["B", null])]) {
      expect(() => read(empty)).toThrow(
        expect.objectContaining({ code: "evaluator_failed", fields: { flag: "no_logprobs" } }),
      );
    }
  });

  it("a log-probability above 0 is an error beyond 1e-6, and 0 within", () => {
    expect(() => read(list(["A", 0.01], ["B", -1]))).toThrow(/above 0, got 0.01/);
    expect(() => read(list(["x", 2e-6], ["B", -1]))).toThrow(/above 0/);
    expect(read(list(["A", 5e-7], ["B", -20])).scores["c1"]).toBe(0);
    // Half and half, each rounded up a little: the sum is 0, not 2e-9.
    expect(
      read(list(["A", Math.log(0.5) + 1e-9], [" A", Math.log(0.5) + 3e-9], ["B", -20])).scores["c1"],
    ).toBe(0);
  });

  it("labels that score alike are flagged", () => {
    expect(read(list(["A", -1], ["B", -1])).flags).toContain("degenerate_distribution");
    expect(read(list(["The", -0.1])).flags).toEqual(["floor", "degenerate_distribution", "low_label_mass"]);
  });

  it("labels that are together more than certain are flagged: such values are no probabilities", () => {
    // Two of 1.0 each, as a server sends that returns 0 for whatever it would not compute.
    const { labelMass, flags } = read(list(["A", 0], ["B", 0], ["C", -5]));
    expect(labelMass).toBeGreaterThan(1.9);
    expect(flags).toContain("invalid_response");
    // Rounding to two digits is no reason to doubt: 0.61 + 0.41 = 1.02.
    expect(read(list(["A", Math.log(0.61)], ["B", Math.log(0.41)])).flags).not.toContain("invalid_response");
  });

  it("takes candidate ids that are keys of every object", () => {
    const labelToCandidate = { A: "__proto__", B: "constructor" };
    const { scores } = read(list(["A", -1], ["B", -2]), { labelToCandidate });
    expect(Object.entries(scores)).toEqual([
      ["__proto__", -1],
      ["constructor", -2],
    ]);
  });

  it("reads a list as long as a vocabulary", () => {
    const vocabulary = Array.from({ length: 200_000 }, (_, i) => ({ token: `t${i}`, logprob: -30 }));
    expect(read([...vocabulary, ...list(["A", -1], ["B", -2])]).scores).toEqual({ c1: -1, c2: -2 });
  });
});

describe("floor", () => {
  it("bounded: an absent label never beats a listed one", () => {
    expect(read(list(["A", -0.1], ["x", -25])).scores).toEqual({ c1: -0.1, c2: -25 });
    expect(read(list(["A", -0.1], ["x", -5])).scores).toEqual({ c1: -0.1, c2: -20 });
    const entries = fc.array(
      fc.tuple(fc.constantFrom("A", " A", "x", "C", "The"), fc.double({ min: -60, max: 0, noNaN: true })),
      { minLength: 1 },
    );
    fc.assert(
      fc.property(entries, (rows) => {
        const { scores } = read(list(...rows));
        expect(scores["c2"]!).toBeLessThanOrEqual(Math.min(...rows.map(([, value]) => value)));
      }),
    );
  });

  it("bounded: nor does it beat the emitted token, which does not bound the list", () => {
    const { scores, floorBound } = read(list(["x", -0.1], ["y", -4]), {
      firstToken: { token: "A", logprob: -30 },
      topkAsked: 2,
    });
    expect(scores).toEqual({ c1: -30, c2: -30 });
    expect(floorBound).toBe(-4);
  });

  it("constant: the configured score whatever the list holds", () => {
    expect(read(list(["A", -0.1], ["x", -25]), { floor: constant }).scores["c2"]).toBe(-20);
  });

  it("keeps the bound only for a full list, and only with a floor", () => {
    const rows = list(["A", -0.1], ["x", -4]);
    expect(read(rows, { topkAsked: 2 })).toMatchObject({ floorBound: -4, flags: ["floor"] });
    const short = read(rows, { topkAsked: 20 });
    expect(short.floorBound).toBeUndefined();
    expect(short.flags).toEqual(["floor", "truncated_topk"]);
    expect(read(rows).floorBound).toBeUndefined();
    expect(read(list(["A", -0.1], ["B", -4]), { topkAsked: 2 }).floorBound).toBeUndefined();
  });
});

describe("order of the list", () => {
  it("does not matter", () => {
    const token = fc.constantFrom("A", " A", "B", "B.", "x", "The", "A");
    const value = fc.oneof(
      fc.double({ min: -40, max: 0, noNaN: true }),
      fc.constant(null),
      fc.constant(-9999),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(token, value), { minLength: 1, maxLength: 12 }), (rows) => {
        fc.pre(rows.some(([, v]) => v !== null && v > -9000));
        const forward = read(list(...rows), { topkAsked: 12 });
        const backward = read(list(...rows.toReversed()), { topkAsked: 12 });
        expect(backward.flags.filter((flag) => flag !== "degenerate_distribution")).toEqual(
          forward.flags.filter((flag) => flag !== "degenerate_distribution"),
        );
        for (const id of ["c1", "c2"]) expect(backward.scores[id]).toBeCloseTo(forward.scores[id]!, 12);
      }),
    );
  });
});

interface Vector {
  id: string;
  label_to_candidate: Record<string, string>;
  floor_score: number;
  top_logprobs: TopLogprob[];
  reference_scores: Record<string, number>;
}

type Difference = "quote" | "low" | "sentinel";

/**
 * Where reading differs from the vectors on purpose, by vector. `quote`: `(A` and `"B"` are variants
 * of a label here and were not there. `low`: a listed value below the floor stays as it is; there it
 * was raised to the floor, so that two such variants beat it. `sentinel`: −9999 is absent here; there
 * it was raised to the floor and added to its label.
 */
const DIFFERENCES: Readonly<Record<string, readonly Difference[]>> = {
  "lt-001": ["low"],
  "lt-002": ["quote", "low", "sentinel"],
  "lt-004": ["quote", "low"],
  "lt-005": ["low", "sentinel"],
  "lt-006": ["quote", "low", "sentinel"],
  "lt-007": ["quote"],
  "lt-008": ["quote", "sentinel"],
  "lt-009": ["quote", "low", "sentinel"],
  "lt-010": ["quote", "low", "sentinel"],
  "lt-011": ["sentinel"],
  "lt-012": ["quote"],
  "lt-013": ["quote", "low", "sentinel"],
  "lt-014": ["quote", "low", "sentinel"],
  "lt-015": ["quote", "low", "sentinel"],
  "lt-016": ["sentinel"],
  "lt-017": ["quote", "low"],
  "lt-018": ["quote", "low"],
  "lt-019": ["low"],
  "lt-020": ["sentinel"],
  "lt-021": ["quote", "sentinel"],
  "lt-022": ["quote", "low"],
  "lt-023": ["low"],
  "lt-024": ["quote", "low"],
  "lt-025": ["quote"],
  "lt-027": ["low", "sentinel"],
  "lt-028": ["low", "sentinel"],
  "lt-029": ["quote", "low", "sentinel"],
  "lt-030": ["quote", "sentinel"],
  "lt-031": ["quote", "low", "sentinel"],
  "lt-032": ["quote", "sentinel"],
  "lt-033": ["quote", "low"],
  "lt-034": ["sentinel"],
  "lt-035": ["quote", "low", "sentinel"],
  "lt-036": ["quote", "low"],
  "lt-037": ["quote", "low", "sentinel"],
  "lt-038": ["sentinel"],
  "lt-039": ["quote", "low", "sentinel"],
  "lt-040": ["low"],
};

/** The list as the reference read it, for the named differences. */
function undone(entries: readonly TopLogprob[], differences: readonly Difference[]): TopLogprob[] {
  const raise = (logprob: number) =>
    (differences.includes("low") && logprob < -20 && logprob > -9000) ||
    (differences.includes("sentinel") && logprob <= -9000);
  return entries
    .filter(({ token }) => !(differences.includes("quote") && /^[("]/.test(token)))
    .map((entry) => (raise(entry.logprob!) ? { ...entry, logprob: -20 } : entry));
}

describe("shared label vectors", () => {
  const file = sharedFile("reference/label_token_vectors.jsonl");
  const lines = file === undefined ? [] : readFileSync(file, "utf8").trim().split("\n");
  const vectors = lines.map((line) => JSON.parse(line) as Vector);
  const agrees = (vector: Vector, topLogprobs: TopLogprob[]) => {
    const floor = { rule: "constant" as const, score: vector.floor_score };
    const { scores } = readLabelScores({ topLogprobs, labelToCandidate: vector.label_to_candidate, floor });
    return Object.entries(vector.reference_scores).every(
      ([id, expected]) => Math.abs(scores[id]! - expected) <= 1e-9 * Math.max(1, Math.abs(expected)),
    );
  };

  it.skipIf(file === undefined)("agree as they stand, or differ for exactly the reasons listed", () => {
    expect(vectors).toHaveLength(40);
    for (const vector of vectors) {
      const reasons = DIFFERENCES[vector.id] ?? [];
      expect([vector.id, agrees(vector, undone(vector.top_logprobs, reasons))]).toEqual([vector.id, true]);
      // Every reason is needed: without one of them the vector would not agree.
      for (const reason of reasons) {
        const others = reasons.filter((other) => other !== reason);
        expect([vector.id, reason, agrees(vector, undone(vector.top_logprobs, others))]).toEqual([
          vector.id,
          reason,
          false,
        ]);
      }
    }
  });
});
