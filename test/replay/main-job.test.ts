import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { asv, asvDone, folder } from "./asv.ts";

const stored = fileURLToPath(
  new URL("../../examples/quickstart/data/evidence-questions.asv.jsonl", import.meta.url),
);

/** Runs of the quickstart, imported and frozen. */
function preparedRuns(at: string): void {
  asvDone(at, "import", "asv-v1", stored, "--out", "runs.jsonl");
  asvDone(at, "candidates", "freeze", "runs.jsonl", "--reviewer", "a person");
}

describe("from stored runs to step values", () => {
  it("imports, checks, freezes, scores and reports", () => {
    const at = folder();
    asvDone(at, "import", "asv-v1", stored, "--out", "runs.jsonl");
    const check = JSON.parse(asvDone(at, "check", "runs.jsonl", "--redaction", "--json").stdout);
    expect(check).toMatchObject({ trajectories: 28, steps: 204, partial: 1, frozenSets: 0, withTarget: 28 });
    expect(check.discontinuities).toEqual({ declared: 2, undeclared: 0 });
    expect(check.redaction.hits).toBe(0);

    asvDone(at, "candidates", "freeze", "runs.jsonl", "--reviewer", "a person");
    asvDone(at, "score", "runs.jsonl", "--out", "scores.jsonl");
    const summary = JSON.parse(
      asvDone(at, "report", "runs.jsonl", "scores.jsonl", "--out", "report", "--json").stdout,
    );
    expect(summary.counts).toMatchObject({ trajectories: 28, steps: 204, measured: 204, unscored: 0 });
    expect(summary.cautions).toHaveLength(1);
    expect(summary.evaluator_kinds).toEqual(["lexical"]);
    expect(summary).toEqual(JSON.parse(readFileSync(join(at, "report/summary.json"), "utf8")));

    const lines = readFileSync(join(at, "report/steps.jsonl"), "utf8").trimEnd().split("\n");
    const gains = lines.map((line) => JSON.parse(line).diagnostics.margin_gain as number);
    expect(gains).toHaveLength(204);
    const mean = gains.reduce((sum, gain) => sum + gain, 0) / 204;
    expect(summary.margin_gain.mean).toBeCloseTo(mean, 12);
    for (const table of ["steps", "step_types", "trajectories"]) {
      expect(existsSync(join(at, `report/tables/${table}.csv`)), table).toBe(true);
    }
  });

  it("names the planted losses among the worst steps", () => {
    const at = folder();
    preparedRuns(at);
    asvDone(at, "score", "runs.jsonl", "--out", "scores.jsonl");
    asvDone(at, "report", "runs.jsonl", "scores.jsonl", "--out", "report");
    const labels = new Map(
      readFileSync(join(at, "report/steps.jsonl"), "utf8")
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line))
        .map((step) => [`${step.trajectory_id} ${step.step_id}`, step.label]),
    );
    const summary = JSON.parse(readFileSync(join(at, "report/summary.json"), "utf8"));
    const worst = summary.worst.map((step: { trajectory_id: string; step_id: string }) =>
      labels.get(`${step.trajectory_id} ${step.step_id}`),
    );
    expect(worst.length).toBeGreaterThanOrEqual(5);
    for (const label of worst.slice(0, 5)) expect(label).toMatch(/^(loses|corrupts)-evidence$/);
  });

  it("predicts its calls exactly, asks nothing twice and writes the same bytes again", () => {
    const at = folder();
    preparedRuns(at);
    const plan = JSON.parse(asvDone(at, "score", "runs.jsonl", "--dry-run", "--json").stdout);
    const first = JSON.parse(asvDone(at, "score", "runs.jsonl", "--out", "scores.jsonl", "--json").stdout);
    expect(first.calls).toBe(plan.scoredCalls);
    expect(first.scored).toBe(plan.records);
    const bytes = readFileSync(join(at, "scores.jsonl"));
    const second = JSON.parse(asvDone(at, "score", "runs.jsonl", "--out", "scores.jsonl", "--json").stdout);
    expect([second.calls, second.cacheHits]).toEqual([0, first.scored]);
    expect(readFileSync(join(at, "scores.jsonl")).equals(bytes)).toBe(true);
  });

  it("keeps the target out of score files and the cache", () => {
    const at = folder();
    preparedRuns(at);
    asvDone(at, "score", "runs.jsonl", "--out", "scores.jsonl");
    expect(readFileSync(join(at, "scores.jsonl"), "utf8")).not.toMatch(/gold/);
    expect(readFileSync(join(at, "runs.jsonl"), "utf8")).toMatch(/gold_candidate_id/);
  });

  it("stops at a budget with exit 5 and goes on from there", () => {
    const at = folder();
    preparedRuns(at);
    const stopped = asv(at, "score", "runs.jsonl", "--out", "scores.jsonl", "--max-calls", "10", "--json");
    expect(stopped.status).toBe(5);
    expect(JSON.parse(stopped.stdout)).toMatchObject({ calls: 10, stoppedBy: "budget" });
    const report = asv(at, "report", "runs.jsonl", "scores.jsonl", "--json");
    expect(report.status).toBe(4);
    const { counts } = JSON.parse(report.stdout);
    expect(counts.measured).toBeGreaterThan(0);
    expect(counts.measured + counts.unscored).toBe(204);
    const rest = JSON.parse(asvDone(at, "score", "runs.jsonl", "--out", "scores.jsonl", "--json").stdout);
    expect(rest.cacheHits).toBeGreaterThanOrEqual(10);
    expect(rest.unscored).toBe(0);
  });

  it("refuses an unfrozen set by name, and carries the flag where told to go on", () => {
    const at = folder();
    asvDone(at, "import", "asv-v1", stored, "--out", "runs.jsonl");
    const refused = asv(at, "score", "runs.jsonl", "--out", "scores.jsonl");
    expect(refused.status).toBe(2);
    expect(refused.stderr).toMatch(/never frozen/);
    expect(existsSync(join(at, "scores.jsonl"))).toBe(false);
    asvDone(at, "score", "runs.jsonl", "--out", "scores.jsonl", "--allow-unreviewed");
    const { flags } = JSON.parse(asvDone(at, "report", "runs.jsonl", "scores.jsonl", "--json").stdout);
    expect(flags.unreviewed_candidates).toBe(204);
  });

  it("splits into shards that together are the whole", () => {
    const at = folder();
    preparedRuns(at);
    asvDone(at, "score", "runs.jsonl", "--no-cache", "--out", "all.jsonl");
    for (const part of ["1/2", "2/2"]) {
      asvDone(at, "score", "runs.jsonl", "--no-cache", "--shard", part, "--out", `part-${part[0]}.jsonl`);
    }
    const report = (...scores: string[]) =>
      JSON.parse(asvDone(at, "report", "runs.jsonl", ...scores, "--json").stdout).margin_gain;
    expect(report("part-2.jsonl", "part-1.jsonl")).toEqual(report("all.jsonl"));
  });
});

describe("candidate sets", () => {
  it("are made, reviewed, attached and frozen from files of their own", () => {
    const at = folder();
    const question = "Which lamp went out first?";
    asvDone(
      at,
      "candidates",
      "new",
      "--preset",
      "open-qa",
      "--task-id",
      "lamps",
      "--question",
      question,
      "--answer",
      "the north lamp",
      "--answer",
      "the south lamp",
      "--answer",
      "the harbour lamp",
      "--target",
      "2",
      "--out",
      "set.jsonl",
      "--gold-out",
      "gold.jsonl",
    );
    expect(readFileSync(join(at, "set.jsonl"), "utf8")).not.toMatch(/gold/);
    asvDone(at, "candidates", "freeze", "set.jsonl", "--reviewer", "k. b.", "--notes", "read twice");
    const set = JSON.parse(readFileSync(join(at, "set.jsonl"), "utf8"));
    expect(set.review).toMatchObject({ reviewer: "k. b.", notes: "read twice" });
    expect(set.candidates.map(({ id }: { id: string }) => id).toSorted()).toEqual([
      "cand-1",
      "cand-2",
      "cand-3",
      "none-of-the-above",
    ]);
  });

  it("need a person unless a data set's labels define them", () => {
    const at = folder();
    asvDone(
      at,
      "candidates",
      "new",
      "--preset",
      "outcome",
      "--task-id",
      "t",
      "--question",
      "Book it",
      "--out",
      "set.jsonl",
    );
    const refused = asv(at, "candidates", "freeze", "set.jsonl");
    expect([refused.status, refused.stderr]).toEqual([2, expect.stringMatching(/reviewer/)]);
  });
});
