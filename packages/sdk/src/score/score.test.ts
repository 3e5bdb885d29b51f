import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AsvError } from "../errors/index.ts";
import type { RationaleRequest, ScoreRequest } from "../evaluators/index.ts";
import { defineProtocol, protocols, type Protocol, type ProtocolPreset } from "../protocol/index.ts";
import {
  sha256Hex,
  type ScoreFileRecord,
  type ScoreRecord,
  type State,
  type Trajectory,
} from "../schema/index.ts";
import { fixtureTrajectory, scriptedEvaluator, type ScriptedOptions } from "../testing/index.ts";
import { memoryCache, planScoring, score, type ScoreOptions, type ScoreOutcome } from "./index.ts";

const balanced = (count: number) => ({ design: "balanced" as const, count, seed: 0 });
const protocolFor = (
  preset: ProtocolPreset,
  evaluator: { settings: Protocol["evaluator"] },
  change: Partial<ProtocolPreset> = {},
) => defineProtocol({ ...preset, ...change, evaluator: evaluator.settings });

async function run(trajectories: readonly Trajectory[], options: ScoreOptions) {
  const records: ScoreFileRecord[] = [];
  let outcome: ScoreOutcome | undefined;
  for await (const record of score(trajectories, { ...options, onEnd: (end) => (outcome = end) }))
    records.push(record);
  return { records, outcome: outcome!, bytes: JSON.stringify(records) };
}
const scoresOf = (records: readonly ScoreFileRecord[]) =>
  records.filter((r): r is ScoreRecord => r.record === "score");
const codeOf = async (work: Promise<unknown>) =>
  work.then(
    () => "none",
    (error: unknown) => (AsvError.isInstance(error) ? error.code : String(error)),
  );
/** Lets a random number of turns of the event loop pass. */
const randomTurns = async () => {
  for (let turns = Math.floor(Math.random() * 6); turns > 0; turns--)
    await new Promise((next) => setImmediate(next));
};

describe("calls", () => {
  it("n chained steps and B mappings cost (n + 1) B scored calls and n + 1 rationales", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 6 }), async (steps, b) => {
        for (const [preset, rationales] of [
          [protocols.direct, 0],
          [protocols.rationale128, steps + 1],
        ] as const) {
          const evaluator = scriptedEvaluator();
          const protocol = protocolFor(preset, evaluator, { mappings: balanced(b) });
          const { outcome } = await run([fixtureTrajectory({ steps })], { protocol, evaluator });
          expect(evaluator.calls).toEqual({ score: (steps + 1) * b, rationale: rationales });
          expect(outcome).toMatchObject({
            states: steps + 1,
            scored: (steps + 1) * b,
            unscored: 0,
            cacheHits: 0,
          });
          expect(outcome.calls).toBe((steps + 1) * b + rationales);
          expect(outcome.stoppedBy).toBeUndefined();
        }
      }),
      { numRuns: 20 },
    );
  });

  it("opens with the protocol, then goes state by state, rationale first, mappings in order", async () => {
    const evaluator = scriptedEvaluator();
    const protocol = protocolFor(protocols.rationale128, evaluator, { mappings: balanced(2) });
    const { records } = await run([fixtureTrajectory({ steps: 1 })], { protocol, evaluator });
    const kinds = records.map((r) => (r.record === "score" ? `score ${r.mapping.index}` : r.record));
    expect(kinds).toEqual(["protocol", "rationale", "score 0", "score 1", "rationale", "score 0", "score 1"]);
    expect(records.every((r) => r.protocolId === protocol.id)).toBe(true);
    expect(new Set(scoresOf(records).map((r) => r.stateSha256)).size).toBe(2);
  });

  it("a state that comes again in its trajectory is scored once, a discontinuity twice", async () => {
    const [a, b, c] = ["one", "two", "three"].map((text): State => ({
      blocks: [{ kind: "evidence", text }],
    }));
    const evaluator = scriptedEvaluator();
    const protocol = protocolFor(protocols.direct, evaluator);
    await run([fixtureTrajectory({ states: [a!, b!, a!, b!] })], { protocol, evaluator });
    expect(evaluator.calls.score).toBe(2);
    const broken = fixtureTrajectory({ states: [a!, b!, c!] });
    broken.steps[1]!.stateBefore = { blocks: [{ kind: "evidence", text: "two, edited" }] };
    await run([broken], { protocol, evaluator });
    expect(evaluator.calls.score).toBe(2 + 4);
  });

  it("a step without states has nothing to score and no record", async () => {
    const trajectory = fixtureTrajectory({ steps: 2 });
    delete trajectory.steps[0]!.stateBefore;
    delete trajectory.steps[1]!.stateAfter;
    const evaluator = scriptedEvaluator();
    const { records } = await run([trajectory], {
      protocol: protocolFor(protocols.direct, evaluator),
      evaluator,
    });
    expect(scoresOf(records)).toHaveLength(1);
  });

  it("an evaluator without labels is asked once a state, under any mapping design", async () => {
    const evaluator = scriptedEvaluator({ capabilities: { usesLabels: false } });
    const protocol = protocolFor(protocols.direct, evaluator, { mappings: balanced(4) });
    const { records } = await run([fixtureTrajectory({ steps: 2 })], { protocol, evaluator });
    expect(evaluator.calls.score).toBe(3);
    for (const record of scoresOf(records)) {
      expect(record.mapping).toEqual({ design: "label-free", index: 0, order: [] });
      expect(record.flags).toEqual([]);
      expect(record).not.toHaveProperty("promptSha256");
      expect(Object.keys(record.scores)).toHaveLength(3);
    }
    expect(evaluator.requests.every((request) => request.prompt === "")).toBe(true);
  });

  it("never has more calls under way than the concurrency", async () => {
    for (const concurrency of [1, 3]) {
      const evaluator = scriptedEvaluator({ before: randomTurns });
      const protocol = protocolFor(protocols.direct, evaluator, { mappings: balanced(3) });
      await run([fixtureTrajectory({ steps: 8 })], { protocol, evaluator, concurrency });
      expect(evaluator.mostAtOnce).toBe(concurrency);
    }
  });

  it("reads trajectories only as far ahead as it works", async () => {
    const evaluator = scriptedEvaluator();
    let made = 0;
    function* endless() {
      for (;;) yield fixtureTrajectory({ trajectoryId: `t${made++}`, steps: 1 });
    }
    const options = { protocol: protocolFor(protocols.direct, evaluator), evaluator, concurrency: 2 };
    let read = 0;
    for await (const record of score(endless(), options)) {
      if (record.record === "score" && ++read === 100) break;
    }
    // 100 states are 50 trajectories; 4 states are prepared ahead.
    expect(made).toBeLessThanOrEqual(53);
  });
});

describe("what is sent and recorded", () => {
  it("records the bytes really sent, the labels, and scores mapped back to ids", async () => {
    const evaluator = scriptedEvaluator({
      reply: () => [
        { token: "A", logprob: -0.1 },
        { token: "B", logprob: -3 },
        { token: "C", logprob: -4 },
      ],
    });
    const protocol = protocolFor(protocols.direct, evaluator, { mappings: balanced(3) });
    const { records } = await run([fixtureTrajectory({ steps: 1 })], { protocol, evaluator });
    const requests = evaluator.requests as readonly ScoreRequest[];
    expect(scoresOf(records).map((r) => r.promptSha256)).toEqual(
      requests.map(({ prompt }) => sha256Hex(prompt)),
    );
    for (const record of scoresOf(records)) {
      const [first, second, third] = record.mapping.order;
      expect(record.scores).toEqual({ [first!]: -0.1, [second!]: -3, [third!]: -4 });
      expect(record.labelScores).toEqual({ A: -0.1, B: -3, C: -4 });
    }
    // B = K = 3: every candidate had the winning label once.
    expect(
      new Set(
        scoresOf(records)
          .slice(0, 3)
          .map((r) => r.mapping.order[0]),
      ).size,
    ).toBe(3);
  });

  it("a label-blind evaluator scores a candidate the same under every mapping", async () => {
    const evaluator = scriptedEvaluator();
    const protocol = protocolFor(protocols.direct, evaluator, { mappings: balanced(6) });
    const { records } = await run([fixtureTrajectory({ steps: 1 })], { protocol, evaluator });
    const [first, ...others] = scoresOf(records).slice(0, 6);
    for (const other of others) expect(other.scores).toEqual(first!.scores);
  });

  it("the target changes no byte that is sent or recorded", async () => {
    const of = async (gold: string | undefined) => {
      const evaluator = scriptedEvaluator({ rationale: () => "The correct answer is cand-2." });
      const trajectory = fixtureTrajectory();
      if (gold === undefined) delete trajectory.task.candidateSpace.goldCandidateId;
      else trajectory.task.candidateSpace.goldCandidateId = gold;
      const { bytes } = await run([trajectory], {
        protocol: protocolFor(protocols.rationale128, evaluator),
        evaluator,
      });
      return JSON.stringify([bytes, evaluator.requests.map(({ signal: _signal, ...request }) => request)]);
    };
    const without = await of(undefined);
    for (const gold of ["cand-1", "cand-2", "cand-3"]) expect(await of(gold)).toBe(without);
    expect(without).not.toMatch(/gold_?[Cc]andidate/);
  });

  it("outcome fields, labels and candidate priors of the trajectory are not sent", async () => {
    const trajectory = fixtureTrajectory({ steps: 1 });
    Object.assign(trajectory, { finalScore: 0.123456, success: true });
    trajectory.steps[0]!.label = "HUMAN-VERDICT";
    trajectory.task.candidateSpace.candidates.forEach((candidate, i) =>
      Object.assign(candidate, { label: `LABEL-${i}`, prior: 0.98765 }),
    );
    const evaluator = scriptedEvaluator();
    await run([trajectory], { protocol: protocolFor(protocols.rationale128, evaluator), evaluator });
    expect(JSON.stringify(evaluator.requests)).not.toMatch(/0\.123456|HUMAN-VERDICT|LABEL-|0\.98765/);
  });

  it("puts the rationale between manifest and mapping, and its flags on the scores", async () => {
    const evaluator = scriptedEvaluator({
      rationale: () => ({ text: "Option B it is.", finishReason: "length" }),
    });
    const { records } = await run([fixtureTrajectory({ steps: 1 })], {
      protocol: protocolFor(protocols.rationale128, evaluator),
      evaluator,
    });
    const flags = ["label_leak", "low_coverage", "cut_off_rationale"];
    expect(records[1]).toMatchObject({
      record: "rationale",
      text: "Option B it is.",
      finishReason: "length",
      coverage: 0,
      flags,
    });
    expect(scoresOf(records)[0]).toMatchObject({ flags, rationaleSha256: sha256Hex("Option B it is.") });
    const scored = evaluator.requests.filter((request) => "question" in request);
    expect(scored[0]!.prompt).toContain("\n\nRationale buffer:\n| Option B it is.\n\nOption labels:\nA = ");
    const written = evaluator.requests.find(
      (request): request is RationaleRequest => !("question" in request),
    );
    expect(written!.maxTokens).toBe(128);
    expect(written!.prompt).not.toContain("Option labels");
  });

  it("the rationale policy `error` leaves a state with a leaking rationale unscored, and keeps the rationale", async () => {
    const evaluator = scriptedEvaluator({
      rationale: (_, call) => (call === 0 ? "Option B." : "cand-1, cand-2 and cand-3 are open."),
    });
    const protocol = protocolFor(protocols.rationale128, evaluator);
    const { records } = await run([fixtureTrajectory({ steps: 1 })], {
      protocol,
      evaluator,
      rationalePolicy: "error",
      concurrency: 1,
    });
    expect(records.map((r) => r.record)).toEqual(["protocol", "rationale", "unscored", "rationale", "score"]);
    expect(records[2]).toMatchObject({ reason: "rationale: label_leak" });
  });

  it("the extractive buffer is written without a call", async () => {
    const evaluator = scriptedEvaluator();
    await run([fixtureTrajectory({ steps: 2 })], {
      protocol: protocolFor(protocols.extractive, evaluator),
      evaluator,
    });
    expect(evaluator.calls).toEqual({ score: 3, rationale: 0 });
    expect(evaluator.requests.at(-1)!.prompt).toMatch(
      /Rationale buffer:\n\| Reading 1: 3 mm above datum\.\n\| Reading 2/,
    );
  });

  it("shows the slice, and flags what the size bound cut", async () => {
    const blocks = [
      { kind: "task", text: "the question" },
      { kind: "plan", text: "SECRET PLAN" },
      { kind: "evidence", text: `old ${"x".repeat(300)} new` },
    ];
    const trajectory = fixtureTrajectory({ states: [{ blocks }, { blocks: blocks.slice(0, 1) }] });
    const evaluator = scriptedEvaluator();
    const change = { projection: { slice: "evidence" as const, maxChars: 200 } };
    const { records } = await run([trajectory], {
      protocol: protocolFor(protocols.direct, evaluator, change),
      evaluator,
    });
    expect(scoresOf(records).map((r) => r.flags)).toEqual([["state_truncated"], []]);
    const prompt = evaluator.requests[0]!.prompt;
    expect(prompt).not.toContain("SECRET PLAN");
    expect(prompt).not.toContain("old ");
    expect(prompt).toContain(" new\n");
  });

  it("candidate-only sees the same prompt in every state, and asks it once", async () => {
    const evaluator = scriptedEvaluator();
    const { records, outcome } = await run([fixtureTrajectory({ steps: 3 })], {
      protocol: protocolFor(protocols.candidateOnly, evaluator),
      evaluator,
    });
    expect(evaluator.calls.score).toBe(1);
    expect(scoresOf(records)).toHaveLength(4);
    expect(outcome.cacheHits).toBe(3);
    expect(evaluator.requests[0]!.prompt).toContain("Agent state:\n\nCandidates:");
  });
});

describe("order and bytes", () => {
  it("do not depend on concurrency or on how fast calls are answered", async () => {
    const trajectories = [1, 2, 3].map((n) =>
      fixtureTrajectory({ trajectoryId: `t${n}`, question: `Question ${n}?`, steps: n }),
    );
    for (const preset of [protocols.direct, protocols.rationale128]) {
      const of = async (options: ScriptedOptions, concurrency: number) => {
        const evaluator = scriptedEvaluator(options);
        const protocol = protocolFor(preset, evaluator, { mappings: balanced(3) });
        return (await run(trajectories, { protocol, evaluator, concurrency })).bytes;
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
      const first = await run(trajectories, { protocol, evaluator, cache });
      const asked = { ...evaluator.calls };
      const second = await run(trajectories, { protocol, evaluator, cache });
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
    await run(trajectories, {
      protocol: protocolFor(protocols.direct, evaluator, { mappings: balanced(6) }),
      evaluator,
      cache,
    });
    const asked = evaluator.calls.score;
    const normalisation = {
      ...protocols.direct.normalisation,
      floor: { rule: "constant" as const, score: -30 },
    };
    const { records } = await run(trajectories, {
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
      await run([trajectory], { protocol: protocolFor(preset, evaluator), evaluator, cache });
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
      await run(trajectories, {
        protocol: protocolFor(preset, evaluator, { mappings: balanced(2) }),
        evaluator,
        cache,
        concurrency: 50,
      });
      expect(evaluator.calls).toEqual({ score: 8, rationale: rationales });
    }
  });
});

describe("refusals before any call", () => {
  it("a protocol the evaluator cannot carry out", async () => {
    const evaluator = scriptedEvaluator();
    const refused = async (protocol: Protocol, by = evaluator, trajectory = fixtureTrajectory()) => {
      const code = await codeOf(run([trajectory], { protocol, evaluator: by }));
      expect(by.requests).toEqual([]);
      expect(await codeOf(planScoring([trajectory], { protocol, evaluator: by }))).toBe(code);
      return code;
    };
    const other = scriptedEvaluator({ settings: { model: "other" } });
    expect(await refused(protocolFor(protocols.direct, other))).toBe("incompatible_evaluator");
    const swapped = protocolFor(protocols.direct, evaluator, { buffer: { kind: "swapped", maxTokens: 128 } });
    expect(await refused(swapped)).toBe("incompatible_evaluator");
    const mute = scriptedEvaluator({ capabilities: { rationale: false } });
    expect(await refused(protocolFor(protocols.rationale128, mute), mute)).toBe("incompatible_evaluator");
    const labelFree = scriptedEvaluator({ capabilities: { usesLabels: false } });
    expect(await refused(protocolFor(protocols.extractive, labelFree), labelFree)).toBe(
      "incompatible_evaluator",
    );
    const small = scriptedEvaluator({ capabilities: { maxCandidates: 2 } });
    expect(await refused(protocolFor(protocols.direct, small), small)).toBe("incompatible_evaluator");
  });

  it("says which setting differs", async () => {
    const evaluator = scriptedEvaluator();
    const protocol = protocolFor(
      protocols.direct,
      scriptedEvaluator({ settings: { endpoint: "elsewhere" } }),
    );
    await expect(run([], { protocol, evaluator })).rejects.toThrow(
      /evaluator\.endpoint to "elsewhere", the evaluator has nothing/,
    );
  });

  it("a set that is not frozen, unless allowed: then every record is flagged", async () => {
    const evaluator = scriptedEvaluator();
    const protocol = protocolFor(protocols.rationale128, evaluator);
    const unfrozen = fixtureTrajectory({ frozen: false, steps: 1 });
    expect(await codeOf(run([unfrozen], { protocol, evaluator }))).toBe("unfrozen_candidates");
    const changed = fixtureTrajectory({ steps: 1 });
    changed.task.candidateSpace.candidates[0]!.text += " Really.";
    expect(await codeOf(run([changed], { protocol, evaluator }))).toBe("unfrozen_candidates");
    const none = fixtureTrajectory();
    none.task.candidateSpace.candidates = [];
    expect(await codeOf(run([none], { protocol, evaluator, allowUnreviewed: true }))).toBe(
      "unfrozen_candidates",
    );
    expect(evaluator.requests).toEqual([]);
    const { records } = await run([unfrozen], { protocol, evaluator, allowUnreviewed: true });
    for (const record of scoresOf(records)) expect(record.flags).toContain("unreviewed_candidates");
  });

  it("options out of range", async () => {
    const evaluator = scriptedEvaluator();
    const protocol = protocolFor(protocols.direct, evaluator);
    for (const bad of [
      { concurrency: 0 },
      { concurrency: 1.5 },
      { shard: { index: 2, count: 2 } },
      { shard: { index: 0, count: 0 } },
      { budget: { maxCalls: -1 } },
    ]) {
      expect(await codeOf(run([], { protocol, evaluator, ...bad }))).toBe("invalid_argument");
    }
  });

  it("B that does not balance places is flagged", async () => {
    const evaluator = scriptedEvaluator();
    const flagsWith = async (count: number) => {
      const protocol = protocolFor(protocols.direct, evaluator, { mappings: balanced(count) });
      return scoresOf((await run([fixtureTrajectory()], { protocol, evaluator })).records)[0]!.flags;
    };
    expect(await flagsWith(2)).toEqual(["unbalanced_mappings"]);
    expect(await flagsWith(3)).toEqual([]);
  });
});

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
    const first = await run([fixtureTrajectory({ steps: 2 })], {
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
    const second = await run([fixtureTrajectory({ steps: 2 })], { protocol, evaluator, cache });
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
      const { records, outcome } = await run([fixtureTrajectory({ steps: 1 })], options);
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
    const { records } = await run([fixtureTrajectory({ steps: 1 })], { protocol, evaluator, concurrency: 1 });
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
    expect(await codeOf(run([fixtureTrajectory()], options))).toBe("evaluator_failed");
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
        expect(await codeOf(run(trajectories, { protocol, evaluator, cache }))).toBe("unreadable_source");
      }
    }
  });
});

describe("budget", () => {
  it("makes exactly maxCalls calls, in order, at any concurrency", async () => {
    for (const preset of [protocols.direct, protocols.rationale128]) {
      const bytes = new Set<string>();
      for (const concurrency of [1, 7, 40]) {
        const evaluator = scriptedEvaluator({ before: randomTurns });
        const protocol = protocolFor(preset, evaluator, { mappings: balanced(3) });
        const done = await run([fixtureTrajectory({ steps: 9 })], {
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
    await run([known], { protocol, evaluator, cache });
    const fresh = fixtureTrajectory({ trajectoryId: "fresh", question: "Fresh?", steps: 2 });
    const { records, outcome } = await run([fresh, known], {
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
    const { outcome } = await run([fixtureTrajectory({ steps: 2 })], {
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
      const { outcome } = await run([fixtureTrajectory({ steps: 9 })], {
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
    const { records, outcome } = await run(trajectories, {
      protocol,
      evaluator,
      cache,
      concurrency: 2,
      signal: stop.signal,
    });
    expect(outcome.stoppedBy).toBe("interrupted");
    expect(records.every((r) => r.record !== "unscored")).toBe(true);
    expect(scoresOf(records).length).toBeLessThanOrEqual(6);
    const resumed = await run(trajectories, { protocol, evaluator, cache });
    const fresh = scriptedEvaluator();
    const whole = await run(trajectories, { protocol, evaluator: fresh, cache: memoryCache() });
    expect(resumed.bytes).toBe(whole.bytes);
    expect(resumed.outcome.cacheHits).toBeGreaterThanOrEqual(scoresOf(records).length);
  });

  it("before the start asks nothing", async () => {
    const evaluator = scriptedEvaluator();
    const { records, outcome } = await run([fixtureTrajectory()], {
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
      (await run(trajectories, { protocol, evaluator, ...(shard && { shard }) })).records
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
    await run([fixtureTrajectory({ steps: 3 })], {
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
