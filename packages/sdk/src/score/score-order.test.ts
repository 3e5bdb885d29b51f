import { describe, expect, it } from "vitest";
import type { ScoreRequest } from "../evaluators/index.ts";
import { protocols, type ProtocolPreset } from "../protocol/index.ts";
import type { State, Trajectory } from "../schema/index.ts";
import { fixtureTrajectory, scriptedEvaluator, type ScriptedOptions } from "../testing/index.ts";
import { balanced, protocolFor, randomTurns, scoreRun, scoresOf } from "../testing/score-run.ts";
import { memoryCache } from "./index.ts";

describe("order and bytes", () => {
  it("do not depend on concurrency or on how fast calls are answered", async () => {
    const trajectories = [1, 2, 3].map((n) =>
      fixtureTrajectory({ trajectoryId: `t${n}`, question: `Question ${n}?`, steps: n }),
    );
    for (const preset of [protocols.direct, protocols.rationale128]) {
      const of = async (options: ScriptedOptions, concurrency: number) => {
        const evaluator = scriptedEvaluator(options);
        const protocol = protocolFor(preset, evaluator, { mappings: balanced(3) });
        return (await scoreRun(trajectories, { protocol, evaluator, concurrency })).bytes;
      };
      const alone = await of({}, 1);
      for (let i = 0; i < 5; i++) expect(await of({ before: randomTurns }, 1 + 3 * i)).toBe(alone);
    }
  });

  it("a second run from the cache asks nothing and writes the same bytes", async () => {
    const trajectories = [
      fixtureTrajectory({ trajectoryId: "t1" }),
      fixtureTrajectory({ trajectoryId: "t2", question: "Other?" }),
    ];
    // Values JSON cannot hold must not make the fresh record differ from the one out of the cache.
    const reply = ({ labelToCandidate }: ScoreRequest) =>
      Object.keys(labelToCandidate).map((token, i) => ({ token, logprob: i === 0 ? -Infinity : -i }));
    for (const preset of [protocols.direct, protocols.rationale128]) {
      const cache = memoryCache();
      const evaluator = scriptedEvaluator({ reply, before: randomTurns });
      const protocol = protocolFor(preset, evaluator, { mappings: balanced(2) });
      const first = await scoreRun(trajectories, { protocol, evaluator, cache });
      const asked = { ...evaluator.calls };
      const second = await scoreRun(trajectories, { protocol, evaluator, cache });
      expect(evaluator.calls).toEqual(asked);
      expect(second.bytes).toBe(first.bytes);
      expect(second.outcome).toMatchObject({ calls: 0, cacheHits: asked.score + asked.rationale });
      expect(scoresOf(first.records)[0]!.topLogprobs![0]!.logprob).toBeNull();
    }
  });

  it("another floor, mapping count or preset name asks nothing that was sent before", async () => {
    const cache = memoryCache();
    const evaluator = scriptedEvaluator({
      reply: () => [
        { token: "A", logprob: -0.1 },
        { token: "x", logprob: -25 },
      ],
    });
    const trajectories = [fixtureTrajectory()];
    await scoreRun(trajectories, {
      protocol: protocolFor(protocols.direct, evaluator, { mappings: balanced(6) }),
      evaluator,
      cache,
    });
    const asked = evaluator.calls.score;
    const normalisation = {
      ...protocols.direct.normalisation,
      floor: { rule: "constant" as const, score: -30 },
    };
    const { records } = await scoreRun(trajectories, {
      protocol: protocolFor(protocols.direct, evaluator, { mappings: balanced(3), normalisation }),
      evaluator,
      cache,
    });
    expect(evaluator.calls.score).toBe(asked);
    expect(Math.min(...Object.values(scoresOf(records)[0]!.scores))).toBe(-30);
  });

  it("anything that is sent is part of the key", async () => {
    const cache = memoryCache();
    const base = { trajectoryId: "t", states: [{ s: "one" }, { s: "two" }] as State[] };
    const ask = async (
      trajectory: Trajectory,
      options: ScriptedOptions = {},
      preset: ProtocolPreset = protocols.direct,
    ) => {
      const evaluator = scriptedEvaluator(options);
      await scoreRun([trajectory], { protocol: protocolFor(preset, evaluator), evaluator, cache });
      return evaluator.calls.score + evaluator.calls.rationale;
    };
    expect(await ask(fixtureTrajectory(base))).toBe(2);
    expect(await ask(fixtureTrajectory({ ...base, taskId: "other task id, same words" }))).toBe(0);
    expect(await ask(fixtureTrajectory({ ...base, question: "Another question?" }))).toBe(2);
    expect(
      await ask(fixtureTrajectory({ ...base, answers: ["It reads high.", "It reads low.", "It is exact."] })),
    ).toBe(2);
    for (const settings of [
      { model: "m2" },
      { kind: "k2" },
      { temperature: 1 },
      { endpoint: "e" },
      { topLogprobs: 5 },
      { parameters: { mode: "raw" } },
    ]) {
      expect(await ask(fixtureTrajectory(base), { settings })).toBe(2);
    }
    // 2 rationales and 2 scored calls; a longer limit writes anew, and the same text is then scored before.
    expect(await ask(fixtureTrajectory(base), {}, protocols.rationale128)).toBe(4);
    expect(await ask(fixtureTrajectory(base), {}, protocols.rationale512)).toBe(2);
    const labelFree = { capabilities: { usesLabels: false } };
    expect(await ask(fixtureTrajectory(base), labelFree)).toBe(2);
    expect(await ask(fixtureTrajectory({ ...base, question: "Another question?" }), labelFree)).toBe(2);
    expect(await ask(fixtureTrajectory(base), labelFree)).toBe(0);
  });

  it("asks an equal call once while it is under way", async () => {
    const cache = memoryCache();
    const trajectories = Array.from({ length: 8 }, (_, i) =>
      fixtureTrajectory({ trajectoryId: `t${i}`, taskId: "t" }),
    );
    for (const [preset, rationales] of [
      [protocols.direct, 0],
      [protocols.rationale128, 4],
    ] as const) {
      const evaluator = scriptedEvaluator({ before: randomTurns });
      await scoreRun(trajectories, {
        protocol: protocolFor(preset, evaluator, { mappings: balanced(2) }),
        evaluator,
        cache,
        concurrency: 50,
      });
      expect(evaluator.calls).toEqual({ score: 8, rationale: rationales });
    }
  });
});
