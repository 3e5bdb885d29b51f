import { describe, expect, it } from "vitest";
import type { ScoreRequest } from "../evaluator.ts";
import { scriptedEvaluator } from "./index.ts";

const request = (more: Partial<ScoreRequest> = {}): ScoreRequest => ({
  question: "q",
  candidates: [
    { id: "cand-1", text: "one" },
    { id: "cand-2", text: "two" },
  ],
  blocks: [{ kind: "evidence", text: "e" }],
  labelToCandidate: { A: "cand-2", B: "cand-1" },
  prompt: "p",
  ...more,
});

describe("scriptedEvaluator", () => {
  it("turns scores by candidate into the labels of the request", async () => {
    const evaluator = scriptedEvaluator({ reply: () => ({ "cand-1": -1, "cand-2": -2 }) });
    expect(await evaluator.score(request())).toEqual({
      form: "logprobs",
      topLogprobs: [
        { token: "A", logprob: -2 },
        { token: "B", logprob: -1 },
      ],
      topkAsked: 2,
      flags: [],
    });
    expect(await evaluator.score(request({ labelToCandidate: {} }))).toEqual({
      form: "candidates",
      scores: { "cand-1": -1, "cand-2": -2 },
      flags: [],
    });
    expect(evaluator.calls).toEqual({ score: 2, rationale: 0 });
  });

  it("by default depends on state and candidate, not on label or chance, and its probabilities sum to 1", async () => {
    const byCandidate = async (more: Partial<ScoreRequest>) => {
      const reply = await scriptedEvaluator().score(request({ labelToCandidate: {}, ...more }));
      return reply.form === "candidates" ? reply.scores : {};
    };
    const scores = await byCandidate({});
    expect(await byCandidate({ prompt: "other" })).toEqual(scores);
    expect(await byCandidate({ blocks: [] })).not.toEqual(scores);
    expect(Object.values(scores).reduce((sum, score) => sum + Math.exp(score), 0)).toBeCloseTo(1, 12);
  });

  it("waits, fails and writes as told, and stops when aborted", async () => {
    const order: number[] = [];
    const evaluator = scriptedEvaluator({
      before: async (call) => void order.push(call),
      reply: (_, call) => {
        throw new Error(`failure ${call}`);
      },
      rationale: ({ maxTokens }) => `${maxTokens} tokens`,
    });
    await expect(evaluator.score(request())).rejects.toThrow("failure 0");
    expect(await evaluator.rationale!({ prompt: "p", maxTokens: 9 })).toEqual({
      text: "9 tokens",
      finishReason: "stop",
    });
    await expect(evaluator.score(request({ signal: AbortSignal.abort() }))).rejects.toThrow(/abort/i);
    expect(order).toEqual([0, 1, 2]);
    expect(evaluator.requests).toHaveLength(3);
  });
});
