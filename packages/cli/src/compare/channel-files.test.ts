import { writeFileSync } from "node:fs";
import { encodeScoreFileRecord, encodeTrajectory } from "@agent-step-value/sdk";
import { syntheticStudy } from "@agent-step-value/sdk/testing";
import { describe, expect, it } from "vitest";
import { workplace } from "../commands/in-process.test-support.ts";

type Json = Record<string, unknown>;

/** A study in which damage, repair, moves and disagreements all have counts of their own. */
function study() {
  const place = workplace();
  const { trajectories, channels } = syntheticStudy({ trajectories: 20, seed: 11 });
  const lines = (records: readonly unknown[]) =>
    records.map((record) => `${JSON.stringify(record)}\n`).join("");
  writeFileSync(place.at("runs.jsonl"), lines(trajectories.map((run) => encodeTrajectory(run))));
  const scores = channels.map(({ records }) => records.map((record) => encodeScoreFileRecord(record)));
  scores.forEach((records, i) => writeFileSync(place.at(`${i}.jsonl`), lines(records)));
  const drop = (from: number) => writeFileSync(place.at("1.jsonl"), lines(scores[1]!.slice(0, from)));
  return { ...place, files: ["./runs.jsonl", "./0.jsonl", "./1.jsonl"], drop };
}

/** Rows of a CSV of numbers and plain names, by column. */
function rowsOf(csv: string): Record<string, string>[] {
  const [names, ...rows] = csv
    .trimEnd()
    .split("\n")
    .map((line) => line.split(","));
  return rows.map((cells) => Object.fromEntries(names!.map((name, i) => [name, cells[i]!])));
}

/** The value at a dotted path, as a CSV cell. */
function cell(json: unknown, path: string): string {
  const found = path.split(".").reduce<unknown>((value, key) => (value as Json | undefined)?.[key], json);
  return found === undefined ? "" : typeof found === "string" ? found : JSON.stringify(found);
}

const effectPaths = {
  pairs: "pairs",
  trajectories: "trajectories",
  mean_margin_gain: "a.mean",
  baseline_margin_gain: "b.mean",
  signed_effect: "signed.mean",
  signed_low: "signed.interval.low",
  signed_high: "signed.interval.high",
  absolute_effect: "absolute.mean",
  absolute_low: "absolute.interval.low",
  absolute_high: "absolute.interval.high",
  both_moved: "sign_disagreement.both_moved",
  sign_disagreements: "sign_disagreement.disagree",
  sign_disagreement: "sign_disagreement.rate.mean",
  sign_disagreement_low: "sign_disagreement.rate.interval.low",
  sign_disagreement_high: "sign_disagreement.rate.interval.high",
  damage: "damage.a.count",
  baseline_damage: "damage.b.count",
  repair: "repair.a.count",
  baseline_repair: "repair.b.count",
};

const auditPaths = {
  slice: "slice",
  buffer: "buffer",
  channel: "channel",
  protocol_id: "protocol_id",
  n: "steps",
  mean_margin_gain: "margin_gain.mean",
  gain_low: "margin_gain.interval.low",
  gain_high: "margin_gain.interval.high",
  gap: "gap.mean",
  gap_low: "gap.interval.low",
  gap_high: "gap.interval.high",
  absolute_gap: "absolute_gap.mean",
  both_moved: "flip.both_moved",
  flips: "flip.disagree",
  flip_rate: "flip.rate.mean",
  damage: "damage.count",
  damage_rate: "damage.rate",
  damage_rate_of_eligible: "damage.rate_of_eligible",
  repair: "repair.count",
  repair_rate: "repair.rate",
  repair_rate_of_eligible: "repair.rate_of_eligible",
  mean_surprise: "mean_surprise",
  floored: "floored",
  not_in_channel: "missing.not_in_channel",
  without_gain: "missing.without_gain",
  mismatched: "missing.mismatched",
};

describe("tables of channels", () => {
  it("hold in every cell what the JSON beside them holds under the column's name", async () => {
    const { done, files, text } = study();
    const settings = ["--resamples", "100", "--out", "./out"];
    await done("compare", ...files, ...settings);
    const { comparisons } = JSON.parse(text("out/comparisons.json"));
    const expected = (json: unknown, paths: Record<string, string>) =>
      Object.fromEntries(Object.entries(paths).map(([name, path]) => [name, cell(json, path)]));
    const effects = rowsOf(text("out/tables/effects.csv"));
    expect(effects).toEqual(
      comparisons.map(({ all }: Json) => ({
        channel: "rationale-128",
        baseline: "direct",
        ...expected(all, effectPaths),
      })),
    );
    // All of these apart, so that no column could stand for another.
    const { damage, baseline_damage, repair, baseline_repair, both_moved, sign_disagreements } = effects[0]!;
    const counts = [damage, baseline_damage, repair, baseline_repair, both_moved, sign_disagreements];
    expect(new Set(counts).size).toBe(6);
    expect(rowsOf(text("out/tables/step_type_effects.csv"))).toEqual(
      comparisons[0].step_types.map((type: Json) => ({
        action: type.action,
        channel: "rationale-128",
        baseline: "direct",
        ...expected(type, effectPaths),
      })),
    );

    await done("audit", ...files, ...settings, "--size", "60");
    const { tables } = JSON.parse(text("out/audit.json"));
    expect(rowsOf(text("out/tables/audit.csv"))).toEqual(
      tables.flatMap(({ sample, rows }: { sample: string; rows: Json[] }) =>
        rows.map((row) => ({ sample, ...expected(row, auditPaths) })),
      ),
    );
  });

  it("print each probe under its own setting", async () => {
    const { done, files, text } = study();
    const { stdout } = await done("audit", ...files, "--resamples", "20", "--out", "./out");
    const { robustness } = JSON.parse(text("out/audit.json"));
    const [title, direct] = stdout
      .slice(stdout.indexOf("channel  ", stdout.indexOf("over all measured")))
      .split("\n");
    expect(title).toMatch(/surprise at ε 1e-4 +surprise at ε 1e-6 +surprise at ε 1e-8/);
    const byEpsilon = new Map<number, number>(
      robustness[0].summary.surprises.map(({ epsilon, mean }: { epsilon: number; mean: number }) => [
        epsilon,
        mean,
      ]),
    );
    const shown = [1e-4, 1e-6, 1e-8].map((epsilon) => byEpsilon.get(epsilon)!.toFixed(3));
    expect(new Set(shown).size).toBe(3);
    expect(direct!.split(/\s+/).slice(1, 4)).toEqual(shown);
  });

  it("end with 4 where a channel lacks scores, and list how many steps each row lacks", async () => {
    const { asv, files, text, drop } = study();
    drop(200);
    const { status } = await asv("audit", ...files, "--resamples", "20", "--out", "./out");
    expect(status).toBe(4);
    const { excluded } = JSON.parse(text("out/audit.json"));
    expect(excluded.not_paired).toBeGreaterThan(100);
  });
});
