import { existsSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { defineProtocol, protocols } from "../../protocol/index.ts";
import { fixtureTrajectory, tinyGguf } from "../../testing/index.ts";
import { scoreRun, scoresOf } from "../../testing/score-run.ts";
import type { ScoreRequest } from "../evaluator.ts";
import { llamaCppEvaluator, type LlamaCppEvaluator, type LlamaEngine } from "./index.ts";

// The package is no dependency of the repository: `npm run test:model` installs it into test/model.
const modules = new URL("../../../../../test/model/node_modules/", import.meta.url);
const installed = new URL(`${"node-llama-cpp"}/`, modules);
const there = existsSync(installed);
if (!there) {
  console.warn("SKIPPED: node-llama-cpp is not in test/model/node_modules (npm ci --prefix test/model).");
}

describe.skipIf(!there)("llamaCppEvaluator with node-llama-cpp", () => {
  const labelToCandidate = { A: "w", B: "x", C: "y", D: "z" };
  let engine: LlamaEngine;
  let folder: string;
  const opened: LlamaCppEvaluator[] = [];
  beforeAll(async () => {
    engine = (await import(new URL("dist/index.js", installed).href)) as LlamaEngine;
    folder = mkdtempSync(join(tmpdir(), "asv-gguf-"));
  });
  afterAll(() => Promise.all(opened.map((evaluator) => evaluator.dispose())));

  async function open(tokenizer: "bpe" | "spm", more: { reusePrefix?: boolean } = {}) {
    const modelPath = join(folder, `${tokenizer}.gguf`);
    writeFileSync(modelPath, tinyGguf({ tokenizer, bias: { C: 3, A: 1 }, contextSize: 4096 }));
    const evaluator = await llamaCppEvaluator({ modelPath, engine, ...more });
    opened.push(evaluator);
    return evaluator;
  }
  const ask = (prompt: string): ScoreRequest => ({
    question: "q",
    candidates: [],
    blocks: [],
    labelToCandidate,
    prompt,
  });
  async function labels(evaluator: LlamaCppEvaluator, prompt: string) {
    const reply = await evaluator.score(ask(prompt));
    if (reply.form !== "logprobs") throw new Error("another form");
    const values = Object.keys(labelToCandidate).map(
      (label) => reply.topLogprobs.find(({ token }) => token === label)!.logprob!,
    );
    return { values, reply };
  }

  it.each(["bpe", "spm"] as const)("the raised labels win, and every variant is listed: %s", async (kind) => {
    const { values, reply } = await labels(await open(kind), "Which one?");
    const [a, b, c, d] = values as [number, number, number, number];
    expect(c).toBeGreaterThan(a);
    expect(a).toBeGreaterThan(Math.max(b, d));
    const tokens = reply.topLogprobs.map(({ token }) => token);
    expect(tokens).toEqual(expect.arrayContaining([" A", " B", " C", " D"]));
    if (kind === "bpe") expect(tokens).toEqual(expect.arrayContaining(["A.", "B.", "C.", "D."]));
    expect(reply.firstToken?.token).toBe("C");
    expect(new Set(tokens).size).toBe(tokens.length);
  });

  it("a kept prefix gives the scores of a fresh start", async () => {
    const [warm, cold] = [await open("bpe"), await open("bpe", { reusePrefix: false })];
    const state = "Reading 12: 3 mm above datum. ".repeat(20);
    let reused = 0;
    for (const tail of [
      "A = one, B = two",
      "A = two, B = one",
      "A = one, B = two",
      "and more of it. ".repeat(9),
    ]) {
      const [w, c] = [await labels(warm, state + tail), await labels(cold, state + tail)];
      for (const [i, value] of w.values.entries()) expect(Math.abs(value - c.values[i]!)).toBeLessThan(1e-3);
      reused += w.reply.usage?.cachedTokens ?? 0;
      expect(c.reply.usage?.cachedTokens).toBe(0);
    }
    expect(reused).toBeGreaterThan(3 * 500);
  });

  it("control tokens in a prompt are text", async () => {
    const evaluator = await open("bpe");
    const plain = await labels(evaluator, "ab");
    const hostile = await labels(evaluator, "a<|eos|>b");
    // Nine bytes of plain text, not one control token.
    expect(hostile.reply.usage!.promptTokens! - plain.reply.usage!.promptTokens!).toBe("<|eos|>".length);
  });

  it("carries out the whole protocol, with a rationale, all labels listed", async () => {
    const evaluator = await open("bpe");
    const mappings = { design: "balanced" as const, count: 3, seed: 0 };
    const protocol = defineProtocol({
      ...protocols.rationale128,
      buffer: { kind: "generated", maxTokens: 8 },
      mappings,
      evaluator: evaluator.settings,
    });
    const { records, outcome } = await scoreRun([fixtureTrajectory({ steps: 2 })], { protocol, evaluator });
    const scores = scoresOf(records);
    expect(outcome).toMatchObject({ unscored: 0, scored: 9 });
    for (const { floored, topLogprobs, usage } of scores) {
      expect(floored).toEqual([]);
      expect(topLogprobs!.length).toBeGreaterThan(9);
      expect(usage?.promptTokens).toBeGreaterThan(100);
    }
    expect(records.filter(({ record }) => record === "rationale")).toHaveLength(3);
  });
});
