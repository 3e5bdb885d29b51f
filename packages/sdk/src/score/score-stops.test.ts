import { describe, expect, it } from "vitest";
import type { ScoreRequest } from "../evaluators/index.ts";
import { protocols } from "../protocol/index.ts";
import { fixtureTrajectory, scriptedEvaluator } from "../testing/index.ts";
import { balanced, protocolFor, randomTurns, scoreRun, scoresOf } from "../testing/score-run.ts";
import { memoryCache, score } from "./index.ts";

describe("budget", () => {
  it("makes exactly maxCalls calls, in order, at any concurrency", async () => {
    for (const preset of [protocols.direct, protocols.rationale128]) {
      const bytes = new Set<string>();
      for (const concurrency of [1, 7, 40]) {
        const evaluator = scriptedEvaluator({ before: randomTurns });
        const protocol = protocolFor(preset, evaluator, { mappings: balanced(3) });
        const done = await scoreRun([fixtureTrajectory({ steps: 9 })], {
          protocol,
          evaluator,
          concurrency,
          budget: { maxCalls: 11 },
        });
        expect(evaluator.calls.score + evaluator.calls.rationale).toBe(11);
        expect(done.outcome).toMatchObject({ calls: 11, stoppedBy: "budget" });
        expect(done.outcome.scored + done.outcome.unscored).toBe(30);
        const reasons = new Set(done.records.flatMap((r) => (r.record === "unscored" ? [r.reason] : [])));
        expect([...reasons].every((reason) => reason.endsWith("budget_reached: max_calls"))).toBe(true);
        bytes.add(done.bytes);
      }
      expect(bytes.size).toBe(1);
    }
  });

  it("still answers from the cache once it is reached", async () => {
    const cache = memoryCache();
    const evaluator = scriptedEvaluator();
    const protocol = protocolFor(protocols.direct, evaluator);
    const known = fixtureTrajectory({ trajectoryId: "known", question: "Known?", steps: 2 });
    await scoreRun([known], { protocol, evaluator, cache });
    const fresh = fixtureTrajectory({ trajectoryId: "fresh", question: "Fresh?", steps: 2 });
    const { records, outcome } = await scoreRun([fresh, known], {
      protocol,
      evaluator,
      cache,
      budget: { maxCalls: 1 },
    });
    expect(records.map((r) => r.record)).toEqual([
      "protocol",
      "score",
      "unscored",
      "unscored",
      "score",
      "score",
      "score",
    ]);
    expect(outcome).toMatchObject({ calls: 1, cacheHits: 3, scored: 4, unscored: 2, stoppedBy: "budget" });
  });

  it("a budget that is just enough is not reached", async () => {
    const evaluator = scriptedEvaluator();
    const { outcome } = await scoreRun([fixtureTrajectory({ steps: 2 })], {
      protocol: protocolFor(protocols.direct, evaluator),
      evaluator,
      budget: { maxCalls: 3 },
    });
    expect(outcome.stoppedBy).toBeUndefined();
    expect(outcome.scored).toBe(3);
  });

  it("stops within the estimate by tokens and by money", async () => {
    const usage = { promptTokens: 1000, completionTokens: 1, cachedTokens: 0 };
    const reply = ({ labelToCandidate }: ScoreRequest) => ({
      form: "logprobs" as const,
      topLogprobs: Object.keys(labelToCandidate).map((token, i) => ({ token, logprob: -1 - i })),
      topkAsked: 3,
      usage,
      flags: [],
    });
    const priceTable = { promptPerMillion: 1, completionPerMillion: 0 };
    // Calls cost 1,001 tokens and 0.001 USD; the next one is estimated at less than that.
    for (const budget of [{ maxTokens: 3500 }, { maxUsd: 0.0035, priceTable }]) {
      const evaluator = scriptedEvaluator({ reply });
      const { outcome } = await scoreRun([fixtureTrajectory({ steps: 9 })], {
        protocol: protocolFor(protocols.direct, evaluator),
        evaluator,
        concurrency: 1,
        budget,
      });
      expect(outcome.stoppedBy).toBe("budget");
      expect(outcome.tokens.prompt).toBe(outcome.calls * 1000);
      expect(outcome.calls).toBeGreaterThanOrEqual(3);
      // Two states are prepared before the first is answered, at their estimates of about 200 tokens.
      expect(outcome.calls).toBeLessThanOrEqual(5);
    }
  });
});

describe("abort", () => {
  it("ends the records early, keeps what was answered, and says so", async () => {
    const cache = memoryCache();
    const stop = new AbortController();
    const evaluator = scriptedEvaluator({
      before: async (call, signal) => {
        if (call === 5) stop.abort();
        await randomTurns();
        signal?.throwIfAborted();
      },
    });
    const protocol = protocolFor(protocols.direct, evaluator);
    const trajectories = [fixtureTrajectory({ steps: 20 })];
    const { records, outcome } = await scoreRun(trajectories, {
      protocol,
      evaluator,
      cache,
      concurrency: 2,
      signal: stop.signal,
    });
    expect(outcome.stoppedBy).toBe("interrupted");
    expect(records.every((r) => r.record !== "unscored")).toBe(true);
    expect(scoresOf(records).length).toBeLessThanOrEqual(6);
    const resumed = await scoreRun(trajectories, { protocol, evaluator, cache });
    const fresh = scriptedEvaluator();
    const whole = await scoreRun(trajectories, { protocol, evaluator: fresh, cache: memoryCache() });
    expect(resumed.bytes).toBe(whole.bytes);
    expect(resumed.outcome.cacheHits).toBeGreaterThanOrEqual(scoresOf(records).length);
  });

  it("before the start asks nothing", async () => {
    const evaluator = scriptedEvaluator();
    const { records, outcome } = await scoreRun([fixtureTrajectory()], {
      protocol: protocolFor(protocols.direct, evaluator),
      evaluator,
      signal: AbortSignal.abort(),
    });
    expect(records.map((r) => r.record)).toEqual(["protocol"]);
    expect([evaluator.calls.score, outcome.stoppedBy]).toEqual([0, "interrupted"]);
  });

  it("a reader that leaves stops the calls under way", async () => {
    let aborted = 0;
    const evaluator = scriptedEvaluator({
      before: async (call, signal) => {
        if (call === 0) return;
        await new Promise<void>((resolve) => signal!.addEventListener("abort", () => resolve()));
        aborted++;
      },
    });
    const options = { protocol: protocolFor(protocols.direct, evaluator), evaluator, concurrency: 3 };
    for await (const record of score([fixtureTrajectory({ steps: 9 })], options))
      if (record.record === "score") break;
    expect(aborted).toBe(evaluator.calls.score - 1);
    expect(aborted).toBeGreaterThan(0);
  });
});

describe("shards and progress", () => {
  it("shards are disjoint, and together they are the whole", async () => {
    const trajectories = [1, 2, 3].map((n) =>
      fixtureTrajectory({ trajectoryId: `t${n}`, question: `Question ${n}?`, steps: 6 }),
    );
    const evaluator = scriptedEvaluator();
    const protocol = protocolFor(protocols.direct, evaluator, { mappings: balanced(2) });
    const lines = async (shard?: { index: number; count: number }) =>
      (await scoreRun(trajectories, { protocol, evaluator, ...(shard && { shard }) })).records
        .slice(1)
        .map((r) => JSON.stringify(r));
    const whole = await lines();
    const parts = await Promise.all([0, 1, 2].map((index) => lines({ index, count: 3 })));
    expect(parts.flat().toSorted()).toEqual(whole.toSorted());
    expect(parts.every((part) => part.length > 0 && part.length < whole.length)).toBe(true);
  });

  it("reports progress after each state, in order", async () => {
    const evaluator = scriptedEvaluator({ before: randomTurns });
    const protocol = protocolFor(protocols.direct, evaluator, { mappings: balanced(2) });
    const seen: number[] = [];
    await scoreRun([fixtureTrajectory({ steps: 3 })], {
      protocol,
      evaluator,
      total: 8,
      onProgress: ({ done, total }) => {
        expect(total).toBe(8);
        seen.push(done);
      },
    });
    expect(seen).toEqual([2, 4, 6, 8]);
  });
});
