import { describe, expect, it } from "vitest";
import { AsvError } from "../errors/index.ts";
import type { RationaleRequest, ScoreRequest } from "../evaluators/index.ts";
import { protocols } from "../protocol/index.ts";
import { fixtureTrajectory, scriptedEvaluator } from "../testing/index.ts";
import { balanced, codeOf, protocolFor, randomTurns, scoreRun } from "../testing/score-run.ts";
import { memoryCache, planScoring, score } from "./index.ts";

describe("failures", () => {
  it("a call that fails leaves an unscored record with its reason; the rest goes on and nothing is cached", async () => {
    const cache = memoryCache();
    let broken = true;
    const reply = ({ place, labelToCandidate }: ScoreRequest, call: number) => {
      if (broken && call === 1) throw new AsvError("evaluator_failed", "Server said 503.", { status: 503 });
      return Object.fromEntries(
        Object.values(labelToCandidate).map((id, i) => [id, -i - place!.stateSha256.length / 64]),
      );
    };
    const evaluator = scriptedEvaluator({ reply });
    const protocol = protocolFor(protocols.direct, evaluator);
    const first = await scoreRun([fixtureTrajectory({ steps: 2 })], {
      protocol,
      evaluator,
      cache,
      concurrency: 1,
    });
    expect(first.records.map((r) => r.record)).toEqual(["protocol", "score", "unscored", "score"]);
    expect(first.records[2]).toMatchObject({
      reason: "evaluator_failed: Server said 503.",
      mapping: { index: 0 },
    });
    expect(first.outcome).toMatchObject({ scored: 2, unscored: 1, calls: 3 });
    broken = false;
    const second = await scoreRun([fixtureTrajectory({ steps: 2 })], { protocol, evaluator, cache });
    expect(second.outcome).toMatchObject({ scored: 3, unscored: 0, calls: 1, cacheHits: 2 });
  });

  it("replies that cannot be read are unscored, not floored: each says why", async () => {
    const replies: Record<string, unknown> = {
      "no_logprobs: The reply carries no first-token log-probabilities": {
        form: "logprobs",
        topLogprobs: [],
        topkAsked: 20,
        flags: [],
      },
      "invalid_response: A log-probability cannot be above 0": [{ token: "A", logprob: 0.5 }],
      "invalid_response: The evaluator's reply cannot be used: not one score a candidate": {
        form: "candidates",
        scores: { "cand-1": 1 },
        flags: [],
      },
      "invalid_response: The evaluator's reply cannot be used: no finite score for": {
        form: "candidates",
        scores: { "cand-1": 1, "cand-2": Number.NaN, "cand-3": 1 },
        flags: [],
      },
      "invalid_response: The evaluator's reply cannot be used: the reply has no known form": { form: "text" },
    };
    for (const [reason, reply] of Object.entries(replies)) {
      const cache = memoryCache();
      const evaluator = scriptedEvaluator({ reply: () => reply as never });
      const options = { protocol: protocolFor(protocols.direct, evaluator), evaluator, cache };
      const { records, outcome } = await scoreRun([fixtureTrajectory({ steps: 1 })], options);
      expect(outcome).toMatchObject({ scored: 0, unscored: 2, calls: 2 });
      expect((records[1] as { reason: string }).reason).toContain(reason);
      // A reply that cannot be used is asked for again next time.
      expect((await planScoring([fixtureTrajectory({ steps: 1 })], options)).scoredCalls).toBe(2);
    }
  });

  it("a rationale that fails leaves its state unscored under every mapping", async () => {
    const rationale = (_: RationaleRequest, call: number) => {
      if (call === 0) throw new Error("socket hang up");
      return "cand-1";
    };
    const evaluator = scriptedEvaluator({ rationale });
    const protocol = protocolFor(protocols.rationale128, evaluator, { mappings: balanced(3) });
    const { records } = await scoreRun([fixtureTrajectory({ steps: 1 })], {
      protocol,
      evaluator,
      concurrency: 1,
    });
    expect(records.map((r) => r.record)).toEqual([
      "protocol",
      "unscored",
      "unscored",
      "unscored",
      "rationale",
      "score",
      "score",
      "score",
    ]);
    expect(records[1]).toMatchObject({ reason: "rationale: evaluator_failed: socket hang up" });
  });

  it("a fatal failure ends the run, after the records before it; nothing queued is asked", async () => {
    const reply = (request: ScoreRequest, call: number) => {
      if (call === 2)
        throw new AsvError("evaluator_failed", "The account is out of credit.", { fatal: true });
      return Object.fromEntries(request.candidates.map(({ id }, i) => [id, -1 - i]));
    };
    const evaluator = scriptedEvaluator({ reply });
    const seen: string[] = [];
    const read = async () => {
      const options = { protocol: protocolFor(protocols.direct, evaluator), evaluator, concurrency: 1 };
      for await (const record of score([fixtureTrajectory({ steps: 30 })], options)) seen.push(record.record);
    };
    await expect(read()).rejects.toThrow("out of credit");
    expect(seen).toEqual(["protocol", "score", "score"]);
    expect(evaluator.calls.score).toBe(3);
  });

  it("onFailure `throw` ends the run at the first failure", async () => {
    const evaluator = scriptedEvaluator({
      reply: () => {
        throw new AsvError("evaluator_failed", "no");
      },
    });
    const options = {
      protocol: protocolFor(protocols.direct, evaluator),
      evaluator,
      onFailure: "throw" as const,
    };
    expect(await codeOf(scoreRun([fixtureTrajectory()], options))).toBe("evaluator_failed");
  });

  it("a cache that cannot be read or written ends the run, and nobody waits for ever", async () => {
    for (const part of ["get", "put"] as const) {
      let uses = 0;
      const broken = async () => {
        if (++uses > 2) throw new AsvError("unreadable_source", "disk full");
        return undefined;
      };
      const cache = { ...memoryCache(), [part]: broken };
      const evaluator = scriptedEvaluator({ before: randomTurns });
      for (const preset of [protocols.direct, protocols.rationale128]) {
        uses = 0;
        const protocol = protocolFor(preset, evaluator, { mappings: balanced(3) });
        const trajectories = [1, 2, 3].map((n) => fixtureTrajectory({ trajectoryId: `t${n}`, taskId: "t" }));
        expect(await codeOf(scoreRun(trajectories, { protocol, evaluator, cache }))).toBe(
          "unreadable_source",
        );
      }
    }
  });
});
