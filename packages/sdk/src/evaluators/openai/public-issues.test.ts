import { describe, expect, it, onTestFinished } from "vitest";
import { freezeCandidates } from "../../candidates/index.ts";
import { diagnoseTransition } from "../../diagnose/index.ts";
import { protocols, renderScoredPrompt } from "../../protocol/index.ts";
import { memoryCache, readLabelScores } from "../../score/index.ts";
import { fixtureTrajectory } from "../../testing/fixture-trajectory.ts";
import {
  startModelServer,
  type BadDay,
  type ModelServerOptions,
  type ServerBehaviour,
} from "../../testing/model-server/index.ts";
import { balanced, protocolFor, scoreRun, scoresOf } from "../../testing/score-run.ts";
import { openaiEvaluator, type OpenAIEvaluatorOptions } from "./openai-evaluator.ts";
import { virtualClock } from "./virtual-clock.test-support.ts";

// Symptoms that users of other tools reported in public; each name says where, each test what must not happen here.

const trajectories = [fixtureTrajectory({ steps: 3 })];

async function scored(
  script: NonNullable<ModelServerOptions["script"]>,
  options: Partial<OpenAIEvaluatorOptions> = {},
  runs = trajectories,
) {
  const server = await startModelServer({ script });
  onTestFinished(() => server.close());
  const evaluator = openaiEvaluator({
    model: "m-1",
    baseUrl: server.baseUrl,
    clock: virtualClock(),
    maxAttempts: 2,
    ...options,
  });
  const protocol = protocolFor(protocols.direct, evaluator, { mappings: balanced(3) });
  const run = await scoreRun(runs, { evaluator, protocol });
  return { server, evaluator, ...run, scores: scoresOf(run.records) };
}
const always = (day: BadDay | ServerBehaviour) => () => day;
const once = (day: BadDay) => [undefined, day];
const unscored = ({ records }: Awaited<ReturnType<typeof scored>>) =>
  records.flatMap((record) => (record.record === "unscored" ? [record.reason] : []));

/** The scores of each state, its mappings together. */
function byState<R extends { stateSha256: string }>(rows: readonly R[]): R[][] {
  const states = [...new Set(rows.map(({ stateSha256 }) => stateSha256))];
  return states.map((state) => rows.filter(({ stateSha256 }) => stateSha256 === state));
}

/** Margin gains between the states of a run, each state by its mappings. */
function gains(scores: Awaited<ReturnType<typeof scored>>["scores"]): number[] {
  const byMapping = byState(scores).map((rows) => rows.map((row) => row.scores));
  return byMapping
    .slice(1)
    .map((after, i) => diagnoseTransition({ before: byMapping[i]!, after, targetId: "cand-1" }).marginGain!);
}

describe("values that are none", () => {
  it("deepseek-ai/DeepSeek-V3.2-Exp#49: only 0 or -9999 and an empty list make no score, and no margin near 9999", async () => {
    const empty = await scored(once("empty-list"));
    expect(unscored(empty)).toEqual([expect.stringMatching(/^no_logprobs: .*empty/)]);
    const sentinels = await scored(always("sentinels"));
    for (const { flags, scores } of sentinels.scores) {
      expect(flags).toContain("floor");
      expect(Math.min(...Object.values(scores))).toBeGreaterThanOrEqual(-20);
    }
    for (const gain of gains(sentinels.scores)) expect(Math.abs(gain)).toBeLessThanOrEqual(40);
  });

  it("google-deepmind/concordia#99: an emitted token at 0 with an empty list does not put all others at the floor", async () => {
    const { scores, ...run } = await scored(once("empty-list"));
    expect(scores.filter(({ floored }) => floored.length > 0)).toEqual([]);
    expect(unscored({ scores, ...run })).toHaveLength(1);
  });

  it("ollama/ollama#16117: log-probabilities that a layer dropped with status 200 are an error, not a floor for everybody", async () => {
    for (const day of ["no-logprobs", "no-logprobs-field"] as const) {
      const run = await scored(once(day));
      expect(unscored(run)).toEqual([expect.stringMatching(/^no_logprobs: /)]);
      expect(run.scores.every(({ floored }) => floored.length === 0)).toBe(true);
    }
  });

  it("togethercomputer/together-python#250: several labels at exactly 0 are flagged as no probabilities", async () => {
    const zero: ServerBehaviour = {
      do: "answer",
      change: (completion) => {
        const [first] = (
          completion as unknown as {
            choices: [{ logprobs: { content: [{ top_logprobs: { logprob: number }[] }] } }];
          }
        ).choices[0].logprobs.content;
        for (const entry of first.top_logprobs.slice(0, 2)) entry.logprob = 0;
      },
    };
    for (const { flags, labelMass } of (await scored(always(zero))).scores) {
      expect(flags).toContain("invalid_response");
      expect(labelMass).toBeGreaterThan(1.9);
    }
  });

  it("facebookresearch/lingua#28: scores that are all alike give a margin of exactly zero and a flag", async () => {
    const { scores } = await scored(always("all-zero"));
    for (const { flags } of scores) expect(flags).toContain("degenerate_distribution");
    expect(gains(scores)).toEqual([0, 0, 0]);
  });
});

describe("labels and their variants", () => {
  const reading = (entries: [string, number][], topkAsked = entries.length) =>
    readLabelScores({
      topLogprobs: entries.map(([token, logprob]) => ({ token, logprob })),
      labelToCandidate: { A: "c1", B: "c2" },
      floor: { rule: "bounded", score: -20 },
      topkAsked,
    });

  it("confident-ai/deepeval#853: two variants of a label add up, and beliefs sum to 1", () => {
    // 0.3 + 0.2 for A, 0.5 for B: a tie, which it is not when one variant overwrites the other.
    const { scores } = reading([
      ["A", Math.log(0.3)],
      [" A", Math.log(0.2)],
      ["B", Math.log(0.5)],
    ]);
    expect(scores["c1"]).toBeCloseTo(scores["c2"]!, 12);
    const { beliefAfter } = diagnoseTransition({ before: [scores], after: [scores], targetId: "c1" });
    expect(Object.values(beliefAfter).reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 12);
  });

  it("ollama/ollama#18579: a label beyond the list gets a floor no higher than the lowest listed, with flag and bound", async () => {
    const { scores } = await scored(always("label-missing"), { topLogprobs: 4 });
    const low = reading([
      ["A", -0.01],
      ["x", -25],
    ]);
    expect([low.scores["c2"], low.floorBound, low.flags]).toEqual([-25, -25, ["floor"]]);
    for (const { scores: byCandidate, floored, flags, topLogprobs } of scores) {
      expect(flags).toContain("floor");
      const listed = Math.min(...topLogprobs!.map(({ logprob }) => logprob!));
      expect(byCandidate[floored[0]!]).toBeLessThanOrEqual(listed);
    }
  });

  it("EleutherAI/lm-evaluation-harness#614: labels with and without a leading space score the same, and the prompt ends where the label begins", async () => {
    const plain = await scored([]);
    const spaced = await scored(always("label-variants"));
    expect(spaced.scores.map(({ scores }) => scores)).toEqual(plain.scores.map(({ scores }) => scores));
    const { text } = renderScoredPrompt({
      question: "q",
      blocks: [],
      candidates: [
        { id: "c1", text: "t" },
        { id: "c2", text: "t" },
      ],
      buffer: "",
      labelToCandidate: { A: "c1", B: "c2" },
    });
    expect(text.endsWith("\nOutput exactly one uppercase option label.")).toBe(true);
    for (const { body } of plain.server.requests) {
      const [message] = body["messages"] as [{ content: string }];
      expect(message.content.endsWith("\nOutput exactly one uppercase option label.")).toBe(true);
    }
  });

  it("UKGovernmentBEIS/inspect_ai#5010: whatever permutations are composed, a score belongs to its candidate", async () => {
    const { scores } = await scored([]);
    for (const rows of byState(scores)) {
      expect(new Set(rows.map(({ mapping }) => mapping.order.join())).size).toBe(3);
      for (const { scores: byId, labelScores, mapping } of rows) {
        for (const [id, value] of Object.entries(rows[0]!.scores)) expect(byId[id]).toBeCloseTo(value, 12);
        for (const [i, id] of mapping.order.entries()) expect(byId[id]).toBe(labelScores!["ABC"[i]!]);
      }
    }
    // A set listed in another order is the same set, and its scores belong to the same ids.
    const [{ task, ...rest }] = trajectories as [(typeof trajectories)[0]];
    const { candidates } = task.candidateSpace;
    const space = {
      type: task.candidateSpace.type,
      labelSource: "fixture",
      candidates: candidates.toReversed(),
    };
    const candidateSpace = freezeCandidates(space, task.question);
    const again = await scored([], {}, [{ ...rest, task: { ...task, candidateSpace } }]);
    expect(again.scores.map(({ scores: byId }) => byId)).toEqual(scores.map(({ scores: byId }) => byId));
  });
});

describe("what is asked", () => {
  it("vllm-project/vllm#4795: logprobs and top_logprobs always go together, and never with a rationale", async () => {
    const server = await startModelServer();
    onTestFinished(() => server.close());
    const evaluator = openaiEvaluator({ model: "m-1", baseUrl: server.baseUrl });
    await scoreRun(trajectories, { evaluator, protocol: protocolFor(protocols.rationale128, evaluator) });
    const kinds = server.requests.map(({ body }) =>
      JSON.stringify([body["logprobs"] ?? null, body["top_logprobs"] ?? null]),
    );
    expect(new Set(kinds)).toEqual(new Set(["[true,20]", "[null,null]"]));
  });

  it("vllm-project/vllm#9453: a temperature that could move the values is in the protocol's id, and 1 is the default where nothing is known", () => {
    const id = (options: Partial<OpenAIEvaluatorOptions>) =>
      protocolFor(
        protocols.direct,
        openaiEvaluator({ model: "m", baseUrl: "http://127.0.0.1:1/v1", ...options }),
      ).id;
    expect(new Set([id({ temperature: 0 }), id({ temperature: 1 }), id({ temperature: 2 })]).size).toBe(3);
    expect(id({})).toBe(id({ temperature: 1 }));
    expect(id({ preset: "vllm" })).toBe(id({ preset: "vllm", temperature: 0 }));
  });

  it("CommandCodeAI/command-code#776: a model that reasons although told not to is not scored", async () => {
    const run = await scored(once("reasoning"));
    expect(unscored(run)).toEqual([expect.stringMatching(/^reasoning_tokens: /)]);
  });
});

describe("failures and order", () => {
  it("confident-ai/deepeval#1029: a reply that cannot be read falls back to nothing; strict runs end", async () => {
    const run = await scored(once("torn-json"));
    expect(unscored(run)).toEqual([expect.stringMatching(/^invalid_response: /)]);
    expect(run.scores).toHaveLength(11);
    const { evaluator } = await scored([]);
    const broken = await startModelServer({ script: () => "html" });
    onTestFinished(() => broken.close());
    const strict = openaiEvaluator({ model: "m-1", baseUrl: broken.baseUrl });
    const protocol = protocolFor(protocols.direct, evaluator);
    await expect(
      scoreRun(trajectories, { evaluator: strict, protocol, onFailure: "throw" }),
    ).rejects.toMatchObject({
      code: "evaluator_failed",
      fields: { flag: "invalid_response" },
    });
  });

  it("vllm-project/vllm#42019: values that hang on the order of requests stay within their noise, and a state is measured once", async () => {
    const noise = 0.06;
    /** Moves the values of the n-th request by up to half the noise, as a warm prefix does. */
    const jitter: NonNullable<ModelServerOptions["script"]> = ({ n }) => ({
      do: "answer",
      change: (completion) => {
        const [first] = (
          completion as unknown as {
            choices: [{ logprobs: { content: [{ top_logprobs: { token: string; logprob: number }[] }] } }];
          }
        ).choices[0].logprobs.content;
        first.top_logprobs.forEach(
          (entry, place) => (entry.logprob -= (((n * 7 + place * 3) % 11) / 11) * (noise / 2)),
        );
      },
    });
    const server = await startModelServer({ script: jitter });
    onTestFinished(() => server.close());
    const evaluator = openaiEvaluator({ model: "m-1", baseUrl: server.baseUrl });
    const protocol = protocolFor(protocols.direct, evaluator);
    const runs = [
      fixtureTrajectory({ trajectoryId: "a" }),
      fixtureTrajectory({ trajectoryId: "b", question: "Is the gauge at Port Ellery exact?" }),
    ];
    const measured = async (order: typeof runs, cache = memoryCache()) => {
      const { records } = await scoreRun(order, { evaluator, protocol, cache });
      return new Map(scoresOf(records).map((record) => [record.taskId + record.stateSha256, record.scores]));
    };
    const cache = memoryCache();
    const first = await measured(runs, cache);
    const again = await measured(runs.toReversed());
    let largest = 0;
    for (const [state, scores] of first)
      for (const [id, value] of Object.entries(scores))
        largest = Math.max(largest, Math.abs(value - again.get(state)![id]!));
    expect(largest).toBeGreaterThan(0);
    expect(largest).toBeLessThanOrEqual(noise);
    // With the cache there is one value a state, in whatever order it is asked for again.
    expect(await measured(runs.toReversed(), cache)).toEqual(first);
    // And the noise, given as the tolerance, makes a tie of what it alone moved.
    const [state] = first.keys();
    const moved = {
      before: [first.get(state!)!],
      after: [again.get(state!)!],
      targetId: "cand-1",
      zeroTolerance: noise * 2,
    };
    const { damage, repair, marginGain } = diagnoseTransition(moved);
    expect([damage, repair, Math.abs(marginGain!) <= noise * 2]).toEqual([false, false, true]);
  });
});
