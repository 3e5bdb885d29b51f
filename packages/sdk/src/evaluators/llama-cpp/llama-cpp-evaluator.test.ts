import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { readLabelScores } from "../../score/read-label-scores.ts";
import { codeOf } from "../../testing/score-run.ts";
import type { ScoreRequest } from "../evaluator.ts";
import { fakeEngine, type FakeEngineOptions } from "./fake-engine.test-support.ts";
import { llamaCppEvaluator, type LlamaCppOptions } from "./index.ts";
import { loadEngine } from "./load-engine.ts";

let modelPath: string;
beforeAll(() => {
  modelPath = join(mkdtempSync(join(tmpdir(), "asv-llama-")), "model.gguf");
  writeFileSync(modelPath, "abc");
});

async function open(options: FakeEngineOptions = {}, more: Partial<LlamaCppOptions> = {}) {
  const { engine, seen } = fakeEngine(options);
  return { seen, evaluator: await llamaCppEvaluator({ modelPath, engine, ...more }) };
}

const ask = (prompt: string, more: Partial<ScoreRequest> = {}): ScoreRequest => ({
  question: "q",
  candidates: [],
  blocks: [],
  labelToCandidate: { A: "x", B: "y", C: "z" },
  prompt,
  ...more,
});
const long = (n: number, tail = "") => "s".repeat(n) + tail;

async function logprobsOf(evaluator: Awaited<ReturnType<typeof open>>["evaluator"], request: ScoreRequest) {
  const reply = await evaluator.score(request);
  if (reply.form !== "logprobs") throw new Error("another form");
  return reply;
}

describe("llamaCppEvaluator", () => {
  it("gives every label its exact log-probability over the whole vocabulary", async () => {
    const { evaluator } = await open();
    const reply = await logprobsOf(evaluator, ask("p"));
    // Logits 2 (A), 1 ( A), 1 and −10 (two tokens with the text B), 0 (C), and −10 for the seven others.
    const total = Math.log(Math.exp(2) + 2 * Math.exp(1) + 1 + 8 * Math.exp(-10));
    const byToken = new Map(reply.topLogprobs.map(({ token, logprob }) => [token, logprob]));
    expect(byToken.get("A")).toBeCloseTo(2 - total, 12);
    expect(byToken.get(" A")).toBeCloseTo(1 - total, 12);
    expect(byToken.get("A.")).toBeCloseTo(-10 - total, 12);
    expect(byToken.get("B")).toBeCloseTo(Math.log(Math.exp(1) + Math.exp(-10)) - total, 12);
    expect(reply.topLogprobs.filter(({ token }) => token === "B")).toHaveLength(1);
    expect(reply.firstToken).toEqual({ token: "A", logprob: byToken.get("A") });
    const mass = reply.topLogprobs.reduce((sum, { logprob }) => sum + Math.exp(logprob!), 0);
    expect(mass).toBeCloseTo(1, 12);

    const read = readLabelScores({
      ...reply,
      labelToCandidate: { A: "x", B: "y", C: "z" },
      floor: { rule: "bounded", score: -20 },
    });
    expect(read.flags).toEqual([]);
    expect(read.scores["x"]).toBeCloseTo(Math.log(Math.exp(2) + Math.exp(1) + Math.exp(-10)) - total, 12);
  });

  it("lists a label however unlikely it is", async () => {
    const { evaluator } = await open({ logits: () => ({ 10: 50, 9: -800 }) });
    const { topLogprobs } = await logprobsOf(evaluator, ask("p"));
    expect(topLogprobs.find(({ token }) => token === "C")?.logprob).toBeCloseTo(-850, 9);
  });

  it("counts the labels that the vocabulary can write", async () => {
    const { evaluator } = await open();
    expect(evaluator.capabilities.maxCandidates).toBe(3);
  });

  it("names the model by file and content, and settings by what moves a score", async () => {
    const { evaluator, seen } = await open({ chatTemplate: "{{ x }}" }, { threads: 3 });
    // SHA-256 of "abc", FIPS 180-4.
    expect(evaluator.settings.model).toBe("model.gguf@ba7816bf8f01cfea");
    expect(evaluator.settings.parameters).toMatchObject({
      engine: "node-llama-cpp 9.9.9, llama.cpp b1",
      flash_attention: false,
    });
    expect(seen.runtime).toMatchObject({ build: "never", gpu: false, maxThreads: 3 });
    expect(seen.contexts).toEqual([
      { contextSize: 4096, batchSize: expect.any(Number) as number, threads: 3, flashAttention: false },
    ]);
    const { fingerprint } = await logprobsOf(evaluator, ask("p"));
    expect(fingerprint).toBe("node-llama-cpp 9.9.9, llama.cpp b1; AVX2 FMA");
    const { evaluator: single } = await open({ chatTemplate: "{{ x }}" });
    expect(single.settings).toEqual(evaluator.settings);
  });

  it("asks for the file's own template with thinking off, else for the engine's choice, else for none", async () => {
    const stored = await open({ chatTemplate: "{{ x }}" });
    expect(stored.seen.wrappers).toMatchObject([
      {
        type: "jinjaTemplate",
        customWrapperSettings: { jinjaTemplate: { additionalRenderParameters: { enable_thinking: false } } },
      },
    ]);
    const without = await open();
    expect(without.seen.wrappers).toMatchObject([{ type: "auto" }]);
    const own = await open({}, { chatTemplate: { jinja: "T" } });
    expect(own.seen.wrappers).toMatchObject([
      { type: "jinjaTemplate", customWrapperSettings: { jinjaTemplate: { template: "T" } } },
    ]);
    const none = await open({}, { chatTemplate: "none" });
    expect(none.seen.wrappers).toEqual([]);
    const digests = [stored, none].map(({ evaluator }) => evaluator.settings.parameters?.["template_sha256"]);
    expect(new Set(digests).size).toBe(2);
  });

  it("puts the first token in front once, where the model wants it", async () => {
    const { evaluator, seen } = await open();
    await evaluator.score(ask("p"));
    expect(seen.batches).toEqual([[0, 1, 1112, 2]]);
    const plain = await open({ prependBos: false });
    await plain.evaluator.score(ask("p"));
    expect(plain.seen.batches).toEqual([[1, 1112, 2]]);
  });

  it("evaluates what a prompt does not share with the one before, the end always together", async () => {
    const { evaluator, seen } = await open();
    const first = await evaluator.score(ask(long(600, "x")));
    expect(first.flags).toEqual([]);
    expect(seen.batches.map(({ length }) => length)).toEqual([256, 256, 604 - 512]);
    seen.batches.length = 0;

    // bos, user, 590 shared characters, then 11 other ones and the answer's beginning.
    const second = await evaluator.score(ask(long(590, "y".repeat(11))));
    expect(second.flags).toEqual(["prefix_reused"]);
    expect(second.usage).toEqual({ promptTokens: 604, completionTokens: 0, cachedTokens: 604 - 16 });
    expect(seen.batches.map(({ length }) => length)).toEqual([16]);
    seen.batches.length = 0;

    // The same prompt again shares everything, and still no token is evaluated alone.
    await evaluator.score(ask(long(590, "y".repeat(11))));
    expect(seen.batches.map(({ length }) => length)).toEqual([16]);
    seen.batches.length = 0;

    const other = await evaluator.score(ask("o".repeat(30)));
    expect(other.usage).toMatchObject({ cachedTokens: 2 });
    expect(seen.batches.flat()).toEqual([...Array.from({ length: 30 }, () => 1000 + 0x6f), 2]);
  });

  it("starts from nothing each time when told not to reuse", async () => {
    const { evaluator, seen } = await open({}, { reusePrefix: false });
    await evaluator.score(ask("same"));
    expect((await evaluator.score(ask("same"))).flags).toEqual([]);
    expect(seen.cleared).toBe(2);
    expect(seen.batches[0]).toEqual(seen.batches[1]);
  });

  it("takes no prefix from a call that failed", async () => {
    const failOnce = { error: new Error("out of memory") };
    const { evaluator, seen } = await open({ failOnce });
    await expect(evaluator.score(ask(long(100)))).rejects.toThrow(/could not answer: out of memory/);
    const reply = await evaluator.score(ask(long(100)));
    expect(reply.flags).toEqual([]);
    expect(seen.cleared).toBe(1);
  });

  it("runs one call at a time, in order, and rationales in a context of their own", async () => {
    const { evaluator, seen } = await open();
    await Promise.all([
      evaluator.score(ask("one")),
      evaluator.rationale!({ prompt: "two", maxTokens: 5 }),
      evaluator.score(ask("three")),
    ]);
    expect(seen.mostAtOnce).toBe(1);
    expect(seen.contexts).toHaveLength(2);
    expect(seen.batches.map((batch) => batch.length)).toEqual([6, 6, 8]);
  });

  it("writes until the model ends or the limit is reached, and says which", async () => {
    const { evaluator } = await open();
    expect(await evaluator.rationale!({ prompt: "p", maxTokens: 5 })).toMatchObject({
      text: "hmhm",
      finishReason: "stop",
      usage: { promptTokens: 4, completionTokens: 2, cachedTokens: 0 },
    });
    expect(await evaluator.rationale!({ prompt: "p", maxTokens: 1 })).toMatchObject({
      text: "hm",
      finishReason: "length",
    });
  });

  it("refuses what does not fit the context, and cuts nothing", async () => {
    const { evaluator, seen } = await open({}, { contextSize: 32 });
    // 3 tokens around the prompt and 1 for the answer.
    await evaluator.score(ask(long(28)));
    seen.batches.length = 0;
    await expect(evaluator.score(ask(long(29)))).rejects.toMatchObject({
      code: "evaluator_failed",
      fields: { promptTokens: 32, contextSize: 32 },
    });
    expect(await codeOf(evaluator.rationale!({ prompt: long(20), maxTokens: 10 }))).toBe("evaluator_failed");
    expect(seen.batches).toEqual([]);
  });

  it("stops between chunks with the signal's reason, and before a call that waited", async () => {
    const stop = new AbortController();
    const reason = new Error("enough");
    const { evaluator, seen } = await open({ trainContextSize: 8192 });
    const running = evaluator.score(ask(long(5000), { signal: stop.signal }));
    const waiting = evaluator.score(ask("next", { signal: stop.signal }));
    await new Promise((next) => setImmediate(next));
    stop.abort(reason);
    await expect(running).rejects.toBe(reason);
    await expect(waiting).rejects.toBe(reason);
    expect(seen.batches.length).toBeLessThan(5000 / 256);
    await expect(evaluator.score(ask("after"))).resolves.toMatchObject({ form: "logprobs" });
  });

  it("answers nothing after it was disposed, once", async () => {
    const { evaluator, seen } = await open();
    await Promise.all([evaluator.dispose(), evaluator.dispose()]);
    expect(seen.disposed).toBe(1);
    await expect(evaluator.score(ask("p"))).rejects.toMatchObject({
      code: "evaluator_failed",
      fields: { fatal: true },
    });
  });

  it("says no when the engine gives no usable logits", async () => {
    const { evaluator } = await open({ logits: () => ({ 4: NaN }) });
    await expect(evaluator.score(ask("p"))).rejects.toMatchObject({ fields: { flag: "no_logprobs" } });
  });

  it("names what is missing: package, file, sensible options", async () => {
    await expect(loadEngine("node-llama-cpp-that-is-not-there")).rejects.toThrow(
      /npm install node-llama-cpp@\^3\.22\.1/,
    );
    const { engine } = fakeEngine();
    expect(await codeOf(llamaCppEvaluator({ modelPath: `${modelPath}.no`, engine }))).toBe(
      "unreadable_source",
    );
    for (const bad of [{ threads: 0 }, { threads: 1.5 }, { contextSize: 8 }]) {
      expect(await codeOf(llamaCppEvaluator({ modelPath, engine, ...bad }))).toBe("invalid_argument");
    }
  });

  it("names a file that the engine cannot load, and lets go of the engine", async () => {
    const { engine, seen } = fakeEngine();
    const broken = {
      ...engine,
      getLlama: async (options: Parameters<typeof engine.getLlama>[0]) => ({
        ...(await engine.getLlama(options)),
        loadModel: () => Promise.reject(new Error("bad magic")),
      }),
    };
    await expect(llamaCppEvaluator({ modelPath, engine: broken })).rejects.toThrow(
      /model cannot be loaded.*bad magic/,
    );
    expect(seen.disposed).toBe(1);
  });
});
