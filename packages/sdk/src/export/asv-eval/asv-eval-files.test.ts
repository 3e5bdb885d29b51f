import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { decodeTrajectory, type ByCandidate, type JsonObject, type Trajectory } from "../../schema/index.ts";
import { sharedFile } from "../../testing/shared-data.ts";
import { asvEvalFiles } from "./asv-eval-files.ts";
import { applyBeliefFixture, decodeBeliefFixtureRow } from "./belief-fixture.ts";
import { asvEvalRows } from "./step-row.ts";

const sample = sharedFile("reference/sample_trajectories.jsonl");
const smoke = sharedFile("reference/smoke_trajectory.jsonl");
const vectors = sharedFile("reference/metric_vectors.jsonl");

const shared = (name: string) => readFileSync(sharedFile(`reference/${name}`)!, "utf8");
const linesOf = (text: string) => text.split("\n").filter((line) => line !== "");
const trajectoriesOf = (name: string) =>
  linesOf(shared(name)).map((line, i) => decodeTrajectory(JSON.parse(line), { source: name, line: i + 1 }));

describe.skipIf(sample === undefined)("the sample trajectories", () => {
  it("give the reference's step rows byte for byte", () => {
    const files = asvEvalFiles(trajectoriesOf("sample_trajectories.jsonl"));
    expect(files["steps.jsonl"]).toBe(shared("sample_steps_output.jsonl"));
  });
});

describe.skipIf(smoke === undefined)("the smoke trajectory with its belief fixture", () => {
  const withBeliefs = () => {
    const rows = linesOf(shared("smoke_beliefs.jsonl")).map((line, i) =>
      decodeBeliefFixtureRow(JSON.parse(line), { source: "smoke_beliefs.jsonl", line: i + 1 }),
    );
    return trajectoriesOf("smoke_trajectory.jsonl").map((trajectory) => {
      const result = applyBeliefFixture(trajectory, rows);
      expect(result.missingSteps).toEqual([]);
      return result.trajectory;
    });
  };
  const expectedSummary = () => JSON.parse(shared("smoke_summary_output.json")) as { evaluator: JsonObject };

  it("gives the reference's step rows byte for byte", () => {
    expect(asvEvalFiles(withBeliefs())["steps.jsonl"]).toBe(shared("smoke_steps_output.jsonl"));
  });

  it("gives the reference's summary byte for byte", () => {
    const files = asvEvalFiles(withBeliefs(), { evaluator: expectedSummary().evaluator });
    expect(files["summary.json"].trimEnd()).toBe(shared("smoke_summary_output.json").trimEnd());
  });

  it("matches the six keys its experiment expects", () => {
    const summary = JSON.parse(asvEvalFiles(withBeliefs())["summary.json"]) as JsonObject;
    const expected = JSON.parse(shared("smoke_expected_summary.json")) as JsonObject;
    expect(Object.keys(expected)).toHaveLength(6);
    expect(summary).toMatchObject(expected);
  });

  it("has a line for each side of each step in states.jsonl", () => {
    const states = linesOf(asvEvalFiles(withBeliefs())["states.jsonl"]).map(
      (line) => JSON.parse(line) as JsonObject,
    );
    expect(states).toHaveLength(6);
    expect(states[0]).toMatchObject({ step_id: "classify", position: "before" });
    expect(states[1]!.state_id).toBe(states[2]!.state_id);
    expect(states[1]!.state_hash).toBe(states[2]!.state_hash);
  });
});

interface MetricVector {
  candidate_ids: string[];
  gold: string;
  belief_before: ByCandidate;
  belief_after: ByCandidate;
  scores_before: ByCandidate;
  scores_after: ByCandidate;
  reference: Record<string, number | null>;
}

describe.skipIf(vectors === undefined)("the metric vectors", () => {
  it("give what the reference printed, to 2e-6, nulls and negative zeros included", () => {
    const all = linesOf(shared("metric_vectors.jsonl")).map((line) => JSON.parse(line) as MetricVector);
    expect(all).toHaveLength(100);
    let negativeZeros = 0;
    for (const vector of all) {
      // The file has its keys sorted; the reference saw them in candidate order, which breaks rank ties.
      const inOrder = (values: ByCandidate) =>
        Object.fromEntries(vector.candidate_ids.map((id) => [id, values[id]!]));
      const [row] = asvEvalRows(
        withStep(
          {
            beliefBefore: inOrder(vector.belief_before),
            beliefAfter: inOrder(vector.belief_after),
            rawScoresBefore: vector.scores_before,
            rawScoresAfter: vector.scores_after,
          },
          vector.candidate_ids,
          vector.gold,
        ),
      );
      const found: Record<string, unknown> = { ...row!.asv_components, ...row!.gold_metrics };
      for (const [name, expected] of Object.entries(vector.reference)) {
        if (expected === null) {
          expect(found[name]).toBeNull();
          continue;
        }
        expect(Math.abs((found[name] as number) - expected)).toBeLessThanOrEqual(2e-6);
        if (Object.is(expected, -0) && name.startsWith("entropy")) {
          expect(Object.is(found[name], -0)).toBe(true);
          negativeZeros++;
        }
      }
    }
    expect(negativeZeros).toBe(12);
  });
});

/** A trajectory of one step over the given candidates. */
function withStep(step: Partial<Trajectory["steps"][0]>, ids: string[], gold?: string): Trajectory {
  return {
    schemaVersion: "asv.v1",
    trajectoryId: "t",
    sourceAdapter: "test",
    metadata: {},
    task: {
      taskId: "task",
      question: "q",
      taskType: "closed_set_qa",
      goldVisibleToEvaluator: false,
      goldUsedOnlyForValidation: true,
      candidateSpace: {
        type: "closed_set",
        candidates: ids.map((id) => ({ id, text: id })),
        ...(gold === undefined ? {} : { goldCandidateId: gold }),
      },
    },
    steps: [{ stepId: "s", index: 0, action: {}, observation: {}, cost: {}, qualityFlags: {}, ...step }],
  };
}

describe("asvEvalRows", () => {
  const beliefs = { beliefBefore: { a: 0.5, b: 0.5 }, beliefAfter: { a: 0.9, b: 0.1 } };

  it("has the log-sum-exp margin, which differs from the paper's", () => {
    // −1 against three at −1.2: 0.2 to the nearest, 0.2 − ln 3 to all three together.
    const ids = ["a", "b", "c", "d"];
    const raw = { a: -1, b: -1.2, c: -1.2, d: -1.2 };
    const [row] = asvEvalRows(withStep({ rawScoresBefore: raw, rawScoresAfter: raw }, ids, "a"));
    expect(row!.gold_metrics.gold_margin_before).toBe(-0.898612);
    expect(row!.gold_metrics.gold_margin_gain).toBe(0);
  });

  it("is 38.901388 for a full flip at floor −20 with four candidates", () => {
    const ids = ["a", "b", "c", "d"];
    const before = { a: -20, b: 0, c: -20, d: -20 };
    const after = { a: 0, b: -20, c: -20, d: -20 };
    const [row] = asvEvalRows(withStep({ rawScoresBefore: before, rawScoresAfter: after }, ids, "a"));
    expect(row!.gold_metrics.gold_margin_gain).toBeCloseTo(38.901388, 6);
  });

  it("hashes an empty state as the one made of observations", () => {
    const observation = { text: "seen" };
    const empty = asvEvalRows(
      withStep({ ...beliefs, observation, stateBefore: {}, stateAfter: {} }, ["a", "b"]),
    )[0]!;
    const absent = asvEvalRows(withStep({ ...beliefs, observation }, ["a", "b"]))[0]!;
    expect(empty.state_before_hash).toBe(absent.state_before_hash);
    expect(empty.state_after_hash).toBe(absent.state_after_hash);
    expect(empty.state_after_hash).not.toBe(empty.state_before_hash);
  });

  it("weighs costs and takes them off the entropy reduction", () => {
    const cost = { prompt_tokens: 900, completion_tokens: 60, tool_calls: 1, latency_ms: 650, risk_score: 2 };
    const costWeights = {
      promptTokens: 0.01,
      completionTokens: 0.02,
      toolCalls: 0.003,
      latency: 0.004,
      risk: 0.1,
    };
    const [row] = asvEvalRows(withStep({ ...beliefs, cost }, ["a", "b"]), { costWeights, lambdaCost: 0.5 });
    // 0.009 + 0.0012 + 0.003 + 0.0026 + 0.2.
    expect(row!.asv_components.cost_scalar).toBe(0.2158);
    const { realized_entropy_reduction: reduction, net_asv: net } = row!.asv_components;
    expect(net).toBeCloseTo(reduction - 0.1079, 6);
  });

  it("has no gold metrics without a target, and no row without numbers", () => {
    const [row] = asvEvalRows(withStep(beliefs, ["a", "b"]));
    expect(Object.values(row!.gold_metrics).every((value) => value === null)).toBe(true);
    expect(asvEvalRows(withStep({ beliefBefore: beliefs.beliefBefore }, ["a", "b"]))).toEqual([]);
  });

  it("ranks ties by the order in which they are written", () => {
    const tied = { beliefBefore: { a: 0.5, b: 0.5 }, beliefAfter: { b: 0.5, a: 0.5 } };
    const [row] = asvEvalRows(withStep(tied, ["a", "b"], "a"));
    expect([row!.gold_metrics.gold_rank_before, row!.gold_metrics.gold_rank_after]).toEqual([1, 2]);
  });
});

describe("asvEvalFiles", () => {
  const raw = (gain: number) => ({ rawScoresBefore: { a: 0, b: 0 }, rawScoresAfter: { a: gain, b: 0 } });
  const run = (trajectoryId: string, gain: number, type: string) => ({
    ...withStep({ ...raw(gain), action: { type } }, ["a", "b"], "a"),
    trajectoryId,
  });

  it("writes the tables with the toolkit's columns and step-type spelling", () => {
    const files = asvEvalFiles([run("t2", -1, "post_audit"), run("t1", 2, "post_audit"), run("t1x", 0, "")]);
    expect(files["tables/step_type_summary.csv"]).toBe(
      "step_type,n,mean,sd,median,min,max,pos,zero,neg\r\n" +
        "post-audit,2,0.5,2.12132,0.5,-1.0,2.0,1,0,1\r\n" +
        "unknown,1,0.0,,0.0,0.0,0.0,0,1,0\r\n",
    );
    expect(files["tables/trajectory_summary.csv"]).toBe(
      "trajectory_id,step_count,gold_margin_step_count,mean_gold_margin_gain,positive_steps,zero_steps,negative_steps\r\n" +
        "t1,1,1,2.0,1,0,0\r\nt1x,1,1,0.0,0,1,0\r\nt2,1,1,-1.0,0,0,1\r\n",
    );
    const [header, first] = files["tables/steps.csv"].split("\r\n");
    expect(header!.split(",")).toHaveLength(16);
    // ln 2 − H(1 / (1 + e)) = 0.110944: from even odds to odds of e.
    expect(first).toMatch(/^t2,s,0.110944,0.110944,/);
    expect(first!.endsWith(",0.0,-1.0,-1.0,,,,")).toBe(true);
  });

  it("names the generator of an interval, and has none below five trajectories", () => {
    const bootstrapOf = (count: number) => {
      const runs = Array.from({ length: count }, (_, t) => run(`t${t}`, t - 2, "a"));
      const summary = JSON.parse(asvEvalFiles(runs, { resamples: 200 })["summary.json"]) as JsonObject;
      return summary.trajectory_bootstrap as JsonObject;
    };
    expect(bootstrapOf(4)).toEqual({
      metric: "gold_margin_gain",
      unit: "trajectory",
      trajectory_count: 4,
      // −2, −1, 0, 1; without the last or the first.
      mean: -0.5,
      loto_min: -1,
      loto_max: 0,
      sign_stable: false,
      ci_low: null,
      ci_high: null,
      resamples: 200,
      seed: 7,
    });
    const six = bootstrapOf(6);
    expect(six.random).toContain("xoroshiro128plus");
    expect(six.ci_low as number).toBeLessThan(six.ci_high as number);
  });

  it("writes empty tables for no rows, and zeros and nulls as the toolkit does", () => {
    const files = asvEvalFiles([]);
    expect(files["steps.jsonl"]).toBe("");
    expect(files["tables/trajectory_summary.csv"]).toBe("");
    expect(files["tables/step_type_summary.csv"]).toBe("");
    expect(JSON.parse(files["summary.json"])).toMatchObject({
      step_count: 0,
      mean_net_asv: 0,
      mean_gold_margin_gain: null,
    });
  });
});
