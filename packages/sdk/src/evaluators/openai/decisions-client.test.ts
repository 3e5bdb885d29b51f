import { afterEach, describe, expect, it } from "vitest";
import { createScoreIndex, diagnoseTrajectory } from "../../diagnose/index.ts";
import { protocols } from "../../protocol/index.ts";
import type { ScoreFileRecord, Trajectory } from "../../schema/index.ts";
import { memoryCache, planScoring } from "../../score/index.ts";
import { summarize } from "../../summarize/index.ts";
import { fixtureTrajectory } from "../../testing/fixture-trajectory.ts";
import {
  decisionAnswers,
  startModelServer,
  type BadDay,
  type DecisionDay,
  type ModelServer,
} from "../../testing/model-server/index.ts";
import { codeOf, protocolFor, scoreRun, scoresOf } from "../../testing/score-run.ts";
import { recordedEvaluator } from "../recorded/index.ts";
import { openaiDecisionsEvaluator } from "./decisions-client.ts";
import { openaiEvaluator } from "./openai-evaluator.ts";

const KEY = "sk-canary-4417-decisions";
const servers: ModelServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function endpoint(days: readonly (DecisionDay | BadDay | undefined)[] = []) {
  const server = await startModelServer({ script: decisionAnswers(days) });
  servers.push(server);
  const evaluator = openaiDecisionsEvaluator({
    model: "gpt-6-luna",
    baseUrl: server.baseUrl,
    apiKey: KEY,
    maxAttempts: 1,
  });
  return { server, evaluator };
}

const trajectory = fixtureTrajectory({ steps: 2 });

describe("the decisions evaluator", () => {
  it("asks one choice question a state: the candidates by id and text, no label letter, no target", async () => {
    const { server, evaluator } = await endpoint();
    const protocol = protocolFor(protocols.direct, evaluator);
    const { records, outcome } = await scoreRun([trajectory], { protocol, evaluator });
    expect(outcome).toMatchObject({ states: 3, scored: 3, calls: 3 });
    const { body, path, headers } = server.requests[0]!;
    expect(path).toBe("/v1/decisions");
    expect(headers["authorization"]).toBe(`Bearer ${KEY}`);
    expect(Object.keys(body)).toEqual(["model", "input", "questions"]);
    expect(body["input"]).toMatch(/^Question:\n\| Does the tide gauge[^]*\nAgent state:\n\[task\]\n/);
    expect(body["questions"]).toMatchObject([{ type: "choice", name: "candidate" }]);
    const [{ choices }] = body["questions"] as [{ choices: unknown }];
    const shown = trajectory.task.candidateSpace.candidates.map(({ id, text }) => ({
      value: id,
      description: text,
    }));
    expect(choices).toEqual(shown);
    expect(JSON.stringify(body)).not.toMatch(/option label|gold|"[A-D]"/);
    expect(JSON.stringify(records)).not.toContain(KEY);
  });

  it("scores the logarithm of each probability, under a mark of its own", async () => {
    const { server, evaluator } = await endpoint();
    const protocol = protocolFor(protocols.direct, evaluator);
    expect(protocol.evaluator).toMatchObject({ kind: "decisions", topLogprobs: 0, endpoint: "local" });
    const { records } = await scoreRun([trajectory], { protocol, evaluator });
    const [score] = scoresOf(records);
    expect(server.counts.requests).toBe(3);
    const total = Object.values(score!.scores).reduce((sum, ell) => sum + Math.exp(ell), 0);
    expect(total).toBeCloseTo(1, 12);
    expect(score).toMatchObject({
      evaluator: { kind: "decisions", model: "gpt-6-luna" },
      mapping: { design: "label-free", order: [] },
      flags: ["probability_source"],
      floored: [],
      modelReturned: "gpt-6-luna",
      usage: { completionTokens: 1, cachedTokens: 0, reasoningTokens: 0 },
    });
    expect(score).not.toHaveProperty("topLogprobs");
  });

  it("ln max(p, 1e-9): a probability of 0 is a flagged floor, -20.723 nats", async () => {
    const { evaluator } = await endpoint(["one-hot", "one-hot", "one-hot"]);
    const protocol = protocolFor(protocols.direct, evaluator);
    const { records } = await scoreRun([trajectory], { protocol, evaluator });
    const [score] = scoresOf(records);
    // ln 1e-9 = -9 ln 10
    expect(Object.values(score!.scores)).toEqual(
      [0, -9 * Math.LN10, -9 * Math.LN10].map((x) => expect.closeTo(x, 12)),
    );
    expect(score!.flags).toEqual(["floor", "probability_source"]);
    const replayed = recordedEvaluator(records);
    const again = await scoreRun([trajectory], { protocol, evaluator: replayed });
    expect(scoresOf(again.records)).toEqual(scoresOf(records));
  });

  it.each([
    ["refusal", /^refusal: .*declined/],
    ["choice-missing", /^invalid_response: .*no probability/],
    ["choice-twice", /^invalid_response: .*twice/],
    ["choice-unknown", /^invalid_response: .*not given/],
    ["sum-off", /^invalid_response: .*sum to 1/],
    ["not-a-probability", /^invalid_response: .*0 to 1/],
    ["other-type", /^invalid_response: .*no choice/],
    ["no-answers", /^invalid_response: .*no answer/],
    ["torn-json", /^invalid_response: .*not valid JSON/],
    ["bare-infinity", /^invalid_response/],
    ["server-error", /^evaluator_failed: .*status 500/],
    ["reset", /^evaluator_failed: .*connection failed/],
    ["bad-request", /^evaluator_failed: .*status 400/],
  ] as const)("%s leaves its state unscored and says why", async (day, reason) => {
    const { evaluator } = await endpoint([undefined, day]);
    const protocol = protocolFor(protocols.direct, evaluator);
    const { records, outcome } = await scoreRun([trajectory], { protocol, evaluator, concurrency: 1 });
    expect(outcome).toMatchObject({ scored: 2, unscored: 1 });
    const unscored = records.find((record) => record.record === "unscored");
    expect(unscored?.reason).toMatch(reason);
    expect(JSON.stringify(records)).not.toContain(KEY);
  });

  it("reasoning is flagged, and usage that was not told is absent", async () => {
    const { evaluator } = await endpoint(["reasoning", "no-usage"]);
    const protocol = protocolFor(protocols.direct, evaluator);
    const { records, outcome } = await scoreRun([trajectory], { protocol, evaluator, concurrency: 1 });
    const [reasoned, silent] = scoresOf(records);
    expect(reasoned!.flags).toEqual(["reasoning_tokens", "probability_source"]);
    expect(silent).not.toHaveProperty("usage");
    expect(outcome.callsWithoutUsage).toBe(1);
  });

  it("a key that is not accepted ends the run", async () => {
    const { server, evaluator } = await endpoint(["wrong-key"]);
    const protocol = protocolFor(protocols.direct, evaluator);
    const failing = scoreRun([trajectory], { protocol, evaluator, concurrency: 1 });
    expect(await codeOf(failing)).toBe("evaluator_failed");
    expect(server.counts.requests).toBe(1);
  });

  it("keys change with question, candidates and state, so nothing is asked twice and nothing is mixed up", async () => {
    const { server, evaluator } = await endpoint();
    const options = { protocol: protocolFor(protocols.direct, evaluator), evaluator, cache: memoryCache() };
    await scoreRun([trajectory], options);
    expect((await scoreRun([trajectory], options)).outcome).toMatchObject({ calls: 0, cacheHits: 3 });
    const other = fixtureTrajectory({
      steps: 2,
      answers: ["It reads high.", "It reads low.", "It is exact."],
    });
    expect(await planScoring([other], options)).toMatchObject({ scoredCalls: 3 });
    expect(server.counts.requests).toBe(3);
  });

  it("is refused a buffer, which it would not be shown", async () => {
    const { server, evaluator } = await endpoint();
    for (const preset of [protocols.rationale128, protocols.extractive]) {
      const protocol = protocolFor(preset, evaluator);
      expect(await codeOf(scoreRun([trajectory], { protocol, evaluator }))).toBe("incompatible_evaluator");
    }
    expect(server.counts.requests).toBe(0);
  });

  it("never passes for log-probabilities: a summary over both kinds says so", async () => {
    const { evaluator } = await endpoint();
    const chat = await startModelServer();
    servers.push(chat);
    const labels = openaiEvaluator({ model: "m-1", baseUrl: chat.baseUrl });
    const steps = await Promise.all(
      [evaluator, labels].map(async (by, i) => {
        const run: Trajectory = fixtureTrajectory({ trajectoryId: `run ${i}` });
        const { records } = await scoreRun([run], {
          protocol: protocolFor(protocols.direct, by),
          evaluator: by,
        });
        return measured(run, records);
      }),
    );
    expect(summarize(steps.flat()).warnings).toContain("several_evaluators");
    expect(summarize(steps[0]!).warnings).not.toContain("several_evaluators");
    expect(summarize(steps[0]!).evaluatorKinds).toEqual(["decisions"]);
  });
});

function measured(run: Trajectory, records: readonly ScoreFileRecord[]) {
  const index = createScoreIndex();
  for (const record of records) index.add(record);
  return diagnoseTrajectory(run, index);
}
