import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { asvDone, folder } from "../replay/asv.ts";
import { writeStudy } from "./write-study.ts";

/** Twenty trajectories: enough for every interval, and quick. */
const SHAPE = { trajectories: 20, seed: 5, balanced: true };

describe("a synthetic study through the commands", () => {
  it("is checked, reported and compared like any other, and comes to what its gains come to", async () => {
    const at = folder();
    const { runs, scores, truth } = await writeStudy(at, SHAPE);
    const [direct, rationale, balanced] = scores as [string, string, string];

    const check = JSON.parse(asvDone(at, "check", runs, "--json").stdout);
    expect(check).toMatchObject({ trajectories: 20, steps: 220, frozenSets: 20, withTarget: 20 });

    const summary = JSON.parse(asvDone(at, "report", runs, rationale, "--out", "report", "--json").stdout);
    expect(summary.counts).toMatchObject({ measured: 220, unscored: 0 });
    expect(Math.abs(summary.entropy_movement.mean)).toBeLessThan(1e-6);
    expect(summary.surprise.max).toBeGreaterThan(15.1);
    expect(summary.surprise.max).toBeLessThan(15.201789);
    const gains = readFileSync(join(at, "report/steps.jsonl"), "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line).diagnostics.margin_gain as number);
    const mean = gains.reduce((sum, gain) => sum + gain, 0) / 220;
    expect(summary.margin_gain.mean).toBeCloseTo(mean, 12);

    const { comparisons } = JSON.parse(asvDone(at, "compare", runs, direct, rationale, "--json").stdout);
    const [{ all, changed_elements: changed, coverage }] = comparisons;
    expect(changed).toEqual(["buffer"]);
    expect(coverage).toMatchObject({ transitions: 220, paired: 220, unverified: 0, mismatched: 0 });
    expect(all.a.mean).toBeCloseTo(mean, 12);
    // One study of 20 strays from the truth; the interval and the sign say by how much.
    const { low, high } = all.signed.interval;
    expect(low).toBeLessThan(truth.signedEffect);
    expect(high).toBeGreaterThan(truth.signedEffect);

    const layouts = JSON.parse(
      asvDone(at, "compare", runs, rationale, balanced, "--baseline", "rationale-128", "--json").stdout,
    );
    expect(layouts.comparisons[0]).toMatchObject({
      changed_elements: ["mappings"],
      all: { signed: { mean: 0, interval: { low: 0, high: 0 } } },
    });
  });
});

describe("the audit of a synthetic study", () => {
  it("selects transitions, lists their cues, and takes a person's verdicts back", async () => {
    const at = folder();
    const { runs, scores } = await writeStudy(at, { ...SHAPE, balanced: false });
    const audit = JSON.parse(
      asvDone(at, "audit", runs, ...scores, "--size", "30", "--out", "audit", "--cues", "--json").stdout,
    );
    const [largest, random] = audit.tables;
    expect(largest).toMatchObject({ sample: "largest_gap", selected_on_outcome: true, selected: 30 });
    expect(random).toMatchObject({ sample: "random", selected_on_outcome: false });
    const gapOf = (table: typeof largest) => Math.abs(table.rows[1].absolute_gap.mean as number);
    expect(gapOf(largest)).toBeGreaterThan(gapOf(random));
    // The leaky trajectory is not clean.
    expect(audit.excluded.unclean).toBeGreaterThanOrEqual(11);
    expect(audit.missing_channels).toContain("extractive");

    const rows = readFileSync(join(at, "audit/cues.jsonl"), "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(rows).toHaveLength(30);
    // A rationale that lost the target does not name its words, though extract and later states hold them.
    const lost = rows.filter(({ buffer_after: buffer, target }) => !buffer.includes(target.text));
    expect(lost.length).toBeGreaterThan(0);
    const filled = ["row_id,verdict", ...lost.map(({ row_id: id }) => `${id},compression loss`)].join("\n");
    writeFileSync(join(at, "filled.csv"), filled);
    const counts = JSON.parse(
      asvDone(at, "cues", "audit/cues.jsonl", "--verdicts", "filled.csv", "--json").stdout,
    );
    expect(counts).toMatchObject({ rows: 30, judged: lost.length });
  });
});
