import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Block } from "../../schema/index.ts";
import type { ScoreRequest } from "../evaluator.ts";
import { buildTermTable } from "./candidate-terms.ts";
import { countTerms } from "./count-terms.ts";
import { lexicalEvaluator, type LexicalOptions } from "./lexical-evaluator.ts";
import { NONE_OF_THE_ABOVE_PMI } from "./none-of-the-above.ts";
import { pmiScore } from "./pmi-score.ts";
import { tokenise } from "./tokenise.ts";

const cities = [
  { id: "cand-1", text: "Kyoto" },
  { id: "cand-2", text: "the old city of Nara" },
  { id: "none-of-the-above", text: "None of the above" },
];

function request(texts: readonly string[], candidates = cities): ScoreRequest {
  const blocks = texts.map((text): Block => ({ kind: "evidence", text }));
  return { question: "Where?", candidates, blocks, labelToCandidate: {}, prompt: "" };
}

async function scoresOf(evaluator: ReturnType<typeof lexicalEvaluator>, asked: ScoreRequest) {
  const reply = await evaluator.score(asked);
  if (reply.form !== "candidates") throw new Error(`unexpected form ${reply.form}`);
  return reply.scores;
}

/** The formula without any memory: every block counted anew for every request. */
function plainScores({ candidates, blocks }: ScoreRequest): Record<string, number> {
  return Object.fromEntries(
    candidates.map(({ id, text }) => {
      if (id === "none-of-the-above") return [id, NONE_OF_THE_ABOVE_PMI];
      const table = buildTermTable([text]);
      const total = new Float64Array(table.size);
      for (const block of blocks) {
        countTerms(table, tokenise(block.text)).forEach((count, slot) => (total[slot]! += count));
      }
      return [id, pmiScore(table.candidates[0]!, total)];
    }),
  );
}

describe("lexicalEvaluator", () => {
  it("states what it is", () => {
    const { settings, capabilities, caution } = lexicalEvaluator();
    expect(settings).toEqual({
      kind: "lexical",
      model: "lexical-v1",
      temperature: 0,
      thinking: false,
      topLogprobs: 0,
    });
    expect(capabilities).toMatchObject({ usesLabels: false, rationale: false, deterministic: true });
    expect(caution).toMatch(/demonstration, not a judge/);
  });

  it("prefers the candidate the state names, and none-of-the-above where it names nobody", async () => {
    const evaluator = lexicalEvaluator();
    const named = await scoresOf(evaluator, request(["They took a train to Kyoto."]));
    expect(named["cand-1"]).toBeGreaterThan(NONE_OF_THE_ABOVE_PMI);
    expect(named["cand-1"]).toBeGreaterThan(named["cand-2"]!);
    const unnamed = await scoresOf(evaluator, request(["They took a train."]));
    expect(unnamed["cand-1"]).toBeLessThan(NONE_OF_THE_ABOVE_PMI);
    expect(unnamed["none-of-the-above"]).toBe(NONE_OF_THE_ABOVE_PMI);
  });

  it("gives none-of-the-above the calibrated constant, whatever the state", async () => {
    expect(NONE_OF_THE_ABOVE_PMI).toBe(0.6);
    for (const texts of [[], ["Kyoto"], ["None of the above"]]) {
      expect((await scoresOf(lexicalEvaluator(), request(texts)))["none-of-the-above"]).toBe(0.6);
    }
  });

  it("gives every concrete candidate 0 in an empty state", async () => {
    const scores = await scoresOf(lexicalEvaluator(), request([]));
    expect(scores["cand-1"]).toBe(0);
    expect(scores["cand-2"]).toBe(0);
  });

  it("uses blocks and candidates alone", async () => {
    const plain = request(["Nara is old.", "Kyoto too."]);
    const dressed: ScoreRequest = {
      question: "Kyoto Kyoto Kyoto",
      candidates: [...cities].reverse(),
      blocks: [
        { kind: "plan", name: "Kyoto", text: "Kyoto too." },
        { kind: "message", name: "Nara", text: "Nara is old." },
      ],
      labelToCandidate: { A: "cand-2", B: "cand-1" },
      prompt: "Kyoto",
    };
    const evaluator = lexicalEvaluator();
    expect(await scoresOf(evaluator, dressed)).toEqual(await scoresOf(evaluator, plain));
  });

  it("takes nothing from the task: a question is no evidence for what repeats its words", async () => {
    const asked = request([]);
    const blocks: Block[] = [{ kind: "task", text: "Is it Kyoto or the old city of Nara?" }];
    expect(await scoresOf(lexicalEvaluator(), { ...asked, blocks })).toEqual(
      await scoresOf(lexicalEvaluator(), asked),
    );
  });

  it("keeps hostile ids apart from the prototype", async () => {
    const candidates = [
      { id: "__proto__", text: "Kyoto" },
      { id: "constructor", text: "Nara" },
    ];
    const scores = await scoresOf(lexicalEvaluator(), request(["Kyoto"], candidates));
    expect(Object.keys(scores)).toEqual(["__proto__", "constructor"]);
  });

  it.each(["", "?!", "→"])("refuses a candidate without a letter or digit: %j", async (text) => {
    const asked = request(["Kyoto"], [...cities, { id: "cand-3", text }]);
    await expect(lexicalEvaluator().score(asked)).rejects.toMatchObject({
      code: "evaluator_failed",
      message: expect.stringContaining('"cand-3"'),
    });
  });

  it("throws the abort reason", async () => {
    const signal = AbortSignal.abort(new Error("enough"));
    await expect(lexicalEvaluator().score({ ...request([]), signal })).rejects.toThrow("enough");
  });

  it("refuses a memory size that is no size", () => {
    expect(() => lexicalEvaluator({ memoryBytes: Number.NaN })).toThrow(/memoryBytes must be/);
  });
});

describe("the evaluator's memory", () => {
  const texts = fc.array(fc.constantFrom("Kyoto", "Nara city", "the old city", "of Nara.", "train"), {
    maxLength: 6,
  });
  const sets = fc.constantFrom(cities, cities.slice(0, 2), [...cities].reverse());

  it.each<LexicalOptions>([{}, { memoryBytes: 0 }, { memoryBytes: 900 }])(
    "never changes a score, whatever was asked before: %j",
    async (options) => {
      await fc.assert(
        fc.asyncProperty(fc.array(fc.tuple(texts, sets), { maxLength: 12 }), async (asked) => {
          const evaluator = lexicalEvaluator(options);
          for (const [blocks, candidates] of asked) {
            const one = request(blocks, candidates);
            expect(await scoresOf(evaluator, one)).toEqual(plainScores(one));
          }
        }),
        { numRuns: 100 },
      );
    },
  );

  it("does not depend on the order of blocks", async () => {
    await fc.assert(
      fc.asyncProperty(texts, async (blocks) => {
        const evaluator = lexicalEvaluator();
        const forwards = await scoresOf(evaluator, request(blocks));
        expect(await scoresOf(evaluator, request([...blocks].reverse()))).toEqual(forwards);
      }),
    );
  });

  /** Scores every state of a run that grows by one block a step; returns characters tokenised. */
  async function tokenisedBy(steps: number, options: LexicalOptions = {}): Promise<number> {
    let characters = 0;
    const evaluator = lexicalEvaluator({ ...options, onTokenise: (count) => (characters += count) });
    const blocks = Array.from({ length: steps }, (_, i) => `Message ${i} of the run, about Kyoto.`);
    for (let i = 0; i <= steps; i++) await evaluator.score(request(blocks.slice(0, i)));
    return characters;
  }

  it("makes work linear in the length of a run: each block is tokenised once", async () => {
    const text = (steps: number): number =>
      Array.from({ length: steps }, (_, i) => `Message ${i} of the run, about Kyoto.`).join("").length;
    expect(await tokenisedBy(50)).toBe(text(50));
    expect(await tokenisedBy(200)).toBe(text(200));
    // without it the states of 50 steps hold some 25 times the text of the run
    expect(await tokenisedBy(50, { memoryBytes: 0 })).toBeGreaterThan(20 * text(50));
  });

  it("tokenises a repeated block once, also when a state is asked again", async () => {
    let characters = 0;
    const evaluator = lexicalEvaluator({ onTokenise: (count) => (characters += count) });
    await evaluator.score(request(["Kyoto", "Kyoto"]));
    await evaluator.score(request(["Nara", "Kyoto"]));
    await evaluator.score(request(["Kyoto", "Kyoto"]));
    expect(characters).toBe("KyotoNara".length);
  });

  it("forgets the least recently used candidate set beyond 64", async () => {
    let characters = 0;
    const evaluator = lexicalEvaluator({ onTokenise: (count) => (characters += count) });
    const ask = (i: number) =>
      evaluator.score(request(["Kyoto"], [{ id: "cand-1", text: `city ${i}` }, ...cities.slice(1)]));
    for (let i = 0; i < 65; i++) await ask(i);
    expect(characters).toBe(65 * 5);
    await ask(64);
    expect(characters).toBe(65 * 5);
    await ask(0);
    expect(characters).toBe(66 * 5);
  });
});
