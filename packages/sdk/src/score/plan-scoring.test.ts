import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { defineProtocol, protocols } from "../protocol/index.ts";
import type { State } from "../schema/index.ts";
import { fixtureTrajectory, scriptedEvaluator } from "../testing/index.ts";
import {
  memoryCache,
  planScoring,
  score,
  type RationaleSource,
  type ScoreOutcome,
  type ScoringPlanOptions,
} from "./index.ts";

const state = fc.constantFrom("a", "b", "c", "d").chain((text) =>
  fc.constantFrom<State>(
    { blocks: [{ kind: "evidence", text }] },
    { blocks: [{ kind: "plan", text }] },
    {
      blocks: [
        { kind: "task", text: "q" },
        { kind: "evidence", text },
      ],
    },
    { note: text },
  ),
);
const trajectory = fc
  .record({
    task: fc.constantFrom("t1", "t2", "t3"),
    question: fc.constantFrom("Question one?", "Question two?"),
    answers: fc
      .constantFrom(["x", "y"], ["x", "y", "z"], ["p", "q", "r", "s"])
      .map((own) => own.map((one) => `answer ${one}`)),
    states: fc.array(state, { minLength: 1, maxLength: 6 }),
  })
  .map(({ task, question, answers, states }) =>
    fixtureTrajectory({ trajectoryId: `run of ${task}`, taskId: task, question, answers, states }),
  );
const setting = fc.record({
  preset: fc.constantFrom(...Object.values(protocols)),
  slice: fc.constantFrom("full" as const, "evidence" as const, "agent-output" as const, "none" as const),
  mappings: fc
    .integer({ min: 0, max: 5 })
    .map((b) =>
      b === 0
        ? { design: "fixed" as const, count: 1, seed: 0 }
        : { design: "balanced" as const, count: b, seed: 1 },
    ),
  usesLabels: fc.boolean(),
  cached: fc.boolean(),
  shards: fc.integer({ min: 1, max: 2 }),
});

/** Another task's rationale for the first three states of a trajectory; the rest stays unscored. */
const rationales: RationaleSource = {
  pick: ({ position }) => {
    const origin = { taskId: "other", stateSha256: "0".repeat(64), protocolId: "rho-other" };
    const text = `rationale of state ${position}`;
    return position < 3 ? { text, promptSha256: "0".repeat(64), origin } : undefined;
  },
};

async function finish(
  trajectories: Parameters<typeof score>[0],
  options: Parameters<typeof score>[1],
): Promise<ScoreOutcome> {
  const records = score(trajectories, options);
  for (;;) {
    const next = await records.next();
    if (next.done === true) return next.value;
  }
}

describe("planScoring", () => {
  it("counts exactly the calls that scoring makes, with and without a cache, on any trajectories", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(trajectory, { maxLength: 4 }),
        fc.array(trajectory, { maxLength: 2 }),
        setting,
        async (work, earlier, how) => {
          const buffer = how.usesLabels ? how.preset.buffer : ({ kind: "none" } as const);
          const evaluator = scriptedEvaluator({ capabilities: { usesLabels: how.usesLabels } });
          const projection = { slice: how.slice, maxChars: 1000 };
          const protocol = defineProtocol({
            ...how.preset,
            buffer,
            projection,
            mappings: how.mappings,
            evaluator: evaluator.settings,
          });
          const options: ScoringPlanOptions = {
            protocol,
            evaluator,
            shard: { index: 0, count: how.shards },
            rationales,
            ...(how.cached && { cache: memoryCache() }),
          };
          await finish(earlier, options);
          const before = { ...evaluator.calls };
          const plan = await planScoring(work, options);
          expect(evaluator.calls).toEqual(before);
          const outcome = await finish(work, { ...options, concurrency: 5 });
          expect({
            scored: evaluator.calls.score - before.score,
            rationale: evaluator.calls.rationale - before.rationale,
          }).toEqual({ scored: plan.scoredCalls, rationale: plan.rationaleCalls });
          expect(outcome).toMatchObject({
            states: plan.states,
            scored: plan.records - outcome.unscored,
            cacheHits: plan.cacheHits,
            calls: plan.scoredCalls + plan.rationaleCalls,
          });
          if (buffer.kind !== "swapped") expect(outcome.unscored).toBe(0);
          expect(plan.trajectories).toBe(work.length);
        },
      ),
      { numRuns: 150 },
    );
  });

  it("counts the characters of the prompts exactly where no rationale is unwritten", async () => {
    const evaluator = scriptedEvaluator();
    const protocol = defineProtocol({ ...protocols.extractive, evaluator: evaluator.settings });
    const plan = await planScoring([fixtureTrajectory()], { protocol, evaluator });
    await finish([fixtureTrajectory()], { protocol, evaluator });
    expect(plan.promptChars).toBe(evaluator.requests.reduce((sum, { prompt }) => sum + prompt.length, 0));
    expect(plan.promptTokens).toBeGreaterThanOrEqual(plan.promptChars / 4);
    expect(plan.completionTokens).toBe(4);
  });

  it("allows for a rationale that is not written yet with all its tokens", async () => {
    const evaluator = scriptedEvaluator();
    const plan = async (preset: typeof protocols.direct) =>
      planScoring([fixtureTrajectory({ steps: 1 })], {
        protocol: defineProtocol({ ...preset, evaluator: evaluator.settings }),
        evaluator,
      });
    const [short, long] = [await plan(protocols.rationale128), await plan(protocols.rationale512)];
    expect(long.promptTokens - short.promptTokens).toBe(2 * (512 - 128));
    expect(long.completionTokens - short.completionTokens).toBe(2 * (512 - 128));
    expect(short.completionTokens).toBe(2 * (128 + 1));
  });

  it("is zero for no trajectories", async () => {
    const evaluator = scriptedEvaluator();
    const protocol = defineProtocol({ ...protocols.direct, evaluator: evaluator.settings });
    expect(await planScoring([], { protocol, evaluator })).toMatchObject({
      trajectories: 0,
      states: 0,
      scoredCalls: 0,
    });
  });
});
