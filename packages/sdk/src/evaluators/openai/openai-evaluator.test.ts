import { describe, expect, it, onTestFinished } from "vitest";
import { protocols } from "../../protocol/index.ts";
import type { QualityFlag } from "../../schema/index.ts";
import { memoryCache } from "../../score/index.ts";
import { fixtureTrajectory } from "../../testing/fixture-trajectory.ts";
import { startModelServer, type BadDay, type ModelServerOptions } from "../../testing/model-server/index.ts";
import { balanced, codeOf, protocolFor, scoreRun, scoresOf } from "../../testing/score-run.ts";
import { openaiEvaluator, type OpenAIEvaluatorOptions } from "./openai-evaluator.ts";
import { virtualClock } from "./virtual-clock.test-support.ts";

const trajectories = [fixtureTrajectory({ steps: 2 })];

async function setUp(
  script: ModelServerOptions["script"] = [],
  options: Partial<OpenAIEvaluatorOptions> = {},
) {
  const server = await startModelServer({ script });
  onTestFinished(() => server.close());
  const evaluator = openaiEvaluator({
    model: "m-1",
    baseUrl: server.baseUrl,
    clock: virtualClock(),
    ...options,
  });
  const run = (preset = protocols.direct, mappings = balanced(3)) =>
    scoreRun(trajectories, { evaluator, protocol: protocolFor(preset, evaluator, { mappings }) });
  return { server, evaluator, run };
}

describe("openaiEvaluator", () => {
  it("scores states and writes rationales: (n + 1) B scored calls, n + 1 rationales", async () => {
    const { server, run } = await setUp();
    const { records, outcome } = await run(protocols.rationale128);
    expect(server.counts).toMatchObject({ requests: 12, scored: 9, rationale: 3, repeated: 0 });
    expect(outcome).toMatchObject({ scored: 9, unscored: 0, callsWithoutUsage: 0 });
    const [score] = scoresOf(records);
    expect(score).toMatchObject({
      modelReturned: "m-1",
      fingerprint: "fp_loopback",
      topkAsked: 20,
      flags: [],
    });
    expect(score!.topLogprobs).toHaveLength(20);
    expect(score!.labelMass).toBeCloseTo(0.95, 9);
    const rationale = records.find((record) => record.record === "rationale");
    expect(rationale).toMatchObject({ finishReason: "stop", coverage: 1, flags: [] });
  });

  it("is told that a rationale was cut off", async () => {
    const { server, evaluator } = await setUp();
    const text = "candidate_id: cand-1\ncandidate_id: cand-2\n";
    expect(await evaluator.rationale!({ prompt: text, maxTokens: 3 })).toMatchObject({
      finishReason: "length",
    });
    expect(server.requests[0]!.body).toMatchObject({ max_tokens: 3, temperature: 0 });
  });

  it("declares what it can: as many candidates as the list has entries", async () => {
    const { evaluator } = await setUp([], { topLogprobs: 2 });
    expect(evaluator.capabilities).toMatchObject({ maxCandidates: 2, usesLabels: true, rationale: true });
    const work = scoreRun(trajectories, { evaluator, protocol: protocolFor(protocols.direct, evaluator) });
    expect(await codeOf(work)).toBe("incompatible_evaluator");
    expect(() => openaiEvaluator({ model: "m", thinking: true })).toThrow(/thinking must be off/);
  });

  it.each<[BadDay, QualityFlag[]]>([
    ["sentinels", ["floor"]],
    ["label-missing", ["floor", "truncated_topk"]],
    ["label-variants", []],
    ["all-zero", ["degenerate_distribution", "invalid_response"]],
    ["wrong-model", []],
    ["no-usage", []],
    ["used-up-window", []],
  ])("%s is scored with flags %j", async (day, flags) => {
    const { run } = await setUp(() => day);
    const { records, outcome } = await run();
    const scores = scoresOf(records);
    expect(scores).toHaveLength(9);
    for (const score of scores)
      expect(score.flags.filter((flag) => flag !== "first_token_not_label")).toEqual(flags);
    expect(outcome.callsWithoutUsage).toBe(day === "no-usage" ? 9 : 0);
    expect(scores[0]!.modelReturned).toBe(day === "wrong-model" ? "another-model-1" : "m-1");
  });

  it.each<[BadDay, string]>([
    ["refusal", "refusal"],
    ["torn-json", "invalid_response"],
    ["bare-infinity", "invalid_response"],
    ["html", "invalid_response"],
    ["bad-request", "evaluator_failed"],
    ["server-error", "evaluator_failed"],
  ])("%s leaves states unscored, with the reason %s, and the others scored", async (day, reason) => {
    const { run } = await setUp(({ n }) => (n % 2 === 1 ? day : undefined), { maxAttempts: 1 });
    const { records, outcome } = await run();
    expect([outcome.scored, outcome.unscored]).toEqual([5, 4]);
    const reasons = records.flatMap((record) => (record.record === "unscored" ? [record.reason] : []));
    for (const text of reasons) expect(text).toMatch(new RegExp(`^${reason}: `));
  });

  it.each<BadDay>(["wrong-key", "no-credit", "not-found"])("%s ends the run", async (day) => {
    const { server, run } = await setUp(() => day);
    await expect(run()).rejects.toMatchObject({ code: "evaluator_failed", fields: { fatal: true } });
    expect(server.counts.requests).toBeLessThanOrEqual(4);
  });

  it.each<[BadDay, string]>([
    ["no-logprobs", "no_logprobs"],
    ["no-logprobs-field", "no_logprobs"],
    ["empty-list", "no_logprobs"],
    ["reasoning", "reasoning_tokens"],
  ])("%s on every call ends the run after a handful, and on some calls does not", async (day, flag) => {
    const always = await setUp(() => day);
    await expect(always.run()).rejects.toMatchObject({ fields: { fatal: true, flag } });
    expect(always.server.counts.requests).toBeLessThanOrEqual(8);
    const sometimes = await setUp(({ n }) => (n > 0 ? day : undefined));
    const { outcome } = await sometimes.run();
    expect([outcome.scored, outcome.unscored]).toEqual([1, 8]);
  });

  it("one flight for equal calls, and none for what is kept", async () => {
    const { server, evaluator } = await setUp();
    const options = {
      evaluator,
      protocol: protocolFor(protocols.candidateOnly, evaluator),
      cache: memoryCache(),
    };
    const first = await scoreRun(
      [...trajectories, fixtureTrajectory({ trajectoryId: "twin", taskId: trajectories[0]!.task.taskId })],
      options,
    );
    expect(server.counts.requests).toBe(1);
    // Three states and four, all sent as the same prompt.
    expect(first.outcome).toMatchObject({ scored: 7, calls: 1, cacheHits: 6 });
    await scoreRun(trajectories, options);
    expect(server.counts.requests).toBe(1);
  });
});
