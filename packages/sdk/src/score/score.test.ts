import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { RationaleRequest, ScoreRequest } from "../evaluators/index.ts";
import { protocols } from "../protocol/index.ts";
import { sha256Hex, type State } from "../schema/index.ts";
import { fixtureTrajectory, scriptedEvaluator } from "../testing/index.ts";
import { balanced, protocolFor, randomTurns, scoreRun, scoresOf } from "../testing/score-run.ts";
import { score } from "./index.ts";

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
          const { outcome } = await scoreRun([fixtureTrajectory({ steps })], { protocol, evaluator });
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
    const { records } = await scoreRun([fixtureTrajectory({ steps: 1 })], { protocol, evaluator });
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
    await scoreRun([fixtureTrajectory({ states: [a!, b!, a!, b!] })], { protocol, evaluator });
    expect(evaluator.calls.score).toBe(2);
    const broken = fixtureTrajectory({ states: [a!, b!, c!] });
    broken.steps[1]!.stateBefore = { blocks: [{ kind: "evidence", text: "two, edited" }] };
    await scoreRun([broken], { protocol, evaluator });
    expect(evaluator.calls.score).toBe(2 + 4);
  });

  it("a step without states has nothing to score and no record", async () => {
    const trajectory = fixtureTrajectory({ steps: 2 });
    delete trajectory.steps[0]!.stateBefore;
    delete trajectory.steps[1]!.stateAfter;
    const evaluator = scriptedEvaluator();
    const { records } = await scoreRun([trajectory], {
      protocol: protocolFor(protocols.direct, evaluator),
      evaluator,
    });
    expect(scoresOf(records)).toHaveLength(1);
  });

  it("an evaluator without labels is asked once a state, under any mapping design", async () => {
    const evaluator = scriptedEvaluator({ capabilities: { usesLabels: false } });
    const protocol = protocolFor(protocols.direct, evaluator, { mappings: balanced(4) });
    const { records } = await scoreRun([fixtureTrajectory({ steps: 2 })], { protocol, evaluator });
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
      await scoreRun([fixtureTrajectory({ steps: 8 })], { protocol, evaluator, concurrency });
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
    const { records } = await scoreRun([fixtureTrajectory({ steps: 1 })], { protocol, evaluator });
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
    const { records } = await scoreRun([fixtureTrajectory({ steps: 1 })], { protocol, evaluator });
    const [first, ...others] = scoresOf(records).slice(0, 6);
    for (const other of others) expect(other.scores).toEqual(first!.scores);
  });

  it("the target changes no byte that is sent or recorded", async () => {
    const of = async (gold: string | undefined) => {
      const evaluator = scriptedEvaluator({ rationale: () => "The correct answer is cand-2." });
      const trajectory = fixtureTrajectory();
      if (gold === undefined) delete trajectory.task.candidateSpace.goldCandidateId;
      else trajectory.task.candidateSpace.goldCandidateId = gold;
      const { bytes } = await scoreRun([trajectory], {
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
    await scoreRun([trajectory], { protocol: protocolFor(protocols.rationale128, evaluator), evaluator });
    expect(JSON.stringify(evaluator.requests)).not.toMatch(/0\.123456|HUMAN-VERDICT|LABEL-|0\.98765/);
  });

  it("puts the rationale between manifest and mapping, and its flags on the scores", async () => {
    const evaluator = scriptedEvaluator({
      rationale: () => ({ text: "Option B it is.", finishReason: "length" }),
    });
    const { records } = await scoreRun([fixtureTrajectory({ steps: 1 })], {
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
    const { records } = await scoreRun([fixtureTrajectory({ steps: 1 })], {
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
    await scoreRun([fixtureTrajectory({ steps: 2 })], {
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
    const { records } = await scoreRun([trajectory], {
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
    const { records, outcome } = await scoreRun([fixtureTrajectory({ steps: 3 })], {
      protocol: protocolFor(protocols.candidateOnly, evaluator),
      evaluator,
    });
    expect(evaluator.calls.score).toBe(1);
    expect(scoresOf(records)).toHaveLength(4);
    expect(outcome.cacheHits).toBe(3);
    expect(evaluator.requests[0]!.prompt).toContain("Agent state:\n\nCandidates:");
  });
});
