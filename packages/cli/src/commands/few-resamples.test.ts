import { writeFileSync } from "node:fs";
import { encodeScoreFileRecord, encodeTrajectory } from "@agent-step-value/sdk";
import { syntheticStudy } from "@agent-step-value/sdk/testing";
import { describe, expect, it } from "vitest";
import { workplace } from "./in-process.test-support.ts";

function study() {
  const here = workplace();
  const { trajectories, channels } = syntheticStudy({ trajectories: 20 });
  const lines = (records: readonly unknown[]) =>
    records.map((record) => `${JSON.stringify(record)}\n`).join("");
  writeFileSync(here.at("runs.jsonl"), lines(trajectories.map((one) => encodeTrajectory(one))));
  channels.slice(0, 2).forEach(({ records }, i) => {
    writeFileSync(here.at(`${i}.jsonl`), lines(records.map((record) => encodeScoreFileRecord(record))));
  });
  return { ...here, files: ["./runs.jsonl", "./0.jsonl", "./1.jsonl"] };
}

const textOf = (html: string) => html.replace(/<[^>]*>/g, "").replace(/\s+/g, " ");

describe("intervals from few resamples", () => {
  it.each([
    [1, "1 resample", true],
    [199, "199 resamples", true],
    [200, "200 resamples", false],
  ])("with %i carry a caution in text, JSON and HTML, and from 200 on none", async (count, words, told) => {
    const { done, text, files } = study();
    const resamples = ["--resamples", String(count)];
    const report = await done("report", "./runs.jsonl", "./0.jsonl", ...resamples);
    expect(report.stdout.includes("caution: fewer than 200 resamples")).toBe(told);
    await done("report", ...files, ...resamples, "--html", "./report.html", "--out", "./report");
    expect(JSON.parse(text("report/summary.json")).warnings).toEqual(told ? ["few_resamples"] : []);
    const html = textOf(text("report.html"));
    expect(html.includes(`${words}: below 200 the ends of the intervals are coarse`)).toBe(told);
    // Once for the comparison and once for the audit.
    const others = html.split(`Intervals and p-values come from ${words}: below 200 their ends are coarse.`);
    expect(others.length - 1).toBe(told ? 2 : 0);

    const caution = `intervals and p-values come from ${words}: below 200 their ends are coarse`;
    for (const verb of ["compare", "audit"]) {
      const printed = await done(verb, ...files, ...resamples, "--out", `./${verb}`);
      expect(printed.stdout.includes(`caution: ${caution}\n`)).toBe(told);
      const file = verb === "compare" ? "compare/comparisons.json" : "audit/audit.json";
      expect(JSON.parse(text(file)).cautions).toEqual(told ? [caution] : []);
    }
  });
});
