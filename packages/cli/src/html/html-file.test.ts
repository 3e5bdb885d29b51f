import { readdirSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { encodeScoreFileRecord, encodeTrajectory } from "@agent-step-value/sdk";
import { syntheticStudy } from "@agent-step-value/sdk/testing";
import { workplace } from "../commands/in-process.test-support.ts";
import { tagProblem } from "./well-formed.test-support.ts";

function study() {
  const place = workplace();
  const { trajectories, channels } = syntheticStudy({ trajectories: 6 });
  const lines = (records: readonly unknown[]) =>
    records.map((record) => `${JSON.stringify(record)}\n`).join("");
  writeFileSync(
    place.at("runs.jsonl"),
    lines(trajectories.map((trajectory) => encodeTrajectory(trajectory))),
  );
  const rationale = channels[1]!;
  writeFileSync(
    place.at("scores.jsonl"),
    lines(rationale.records.map((record) => encodeScoreFileRecord(record))),
  );
  return place;
}

describe("asv report --html", () => {
  it("writes one page whose numbers are those of the summary, with rationales from the score file", async () => {
    const { done, text } = study();
    const { stdout, stderr } = await done(
      "report",
      "./runs.jsonl",
      "./scores.jsonl",
      "--html",
      "./report.html",
      "--json",
      "--resamples",
      "200",
    );
    const html = text("report.html");
    const summary = JSON.parse(stdout) as { margin_gain: { mean: number } };
    expect(html).toContain(`<data value="${summary.margin_gain.mean}">`);
    expect(tagProblem(html)).toBeUndefined();
    expect(html.match(/<article class="step"/g)).toHaveLength(66);
    expect(html).toContain("Rationale after this step");
    expect(html).toContain("<code>runs.jsonl</code>");
    expect(html).not.toContain("asv-commands-"); // no folder of the machine
    expect(stderr).toContain("report.html");
  });

  it("refuses to write over a file it reads, and leaves that alone", async () => {
    const { asv, text } = study();
    const before = text("runs.jsonl");
    const { status, stderr } = await asv(
      "report",
      "./runs.jsonl",
      "./scores.jsonl",
      "--html",
      "./runs.jsonl",
    );
    expect(status).toBe(1);
    expect(stderr).toContain("is a file to be read");
    expect(text("runs.jsonl")).toBe(before);
  });

  it("says at once that a path cannot be written", async () => {
    const { asv } = study();
    const { status, stderr } = await asv(
      "report",
      "./runs.jsonl",
      "./scores.jsonl",
      "--html",
      "./nowhere/report.html",
    );
    expect(status).toBe(2);
    expect(stderr).toContain("cannot be written");
  });

  it("leaves no half page behind when a run cannot be read", async () => {
    const { asv, at } = study();
    writeFileSync(at("bad.jsonl"), '{"schema_version":"asv.v1","trajectory_id":7}\n{}\n');
    const { status } = await asv(
      "report",
      "./runs.jsonl",
      "./bad.jsonl",
      "./scores.jsonl",
      "--html",
      "./report.html",
    );
    expect(status).toBe(2);
    expect(readdirSync(at("")).filter((name) => name.startsWith("report.html"))).toEqual([]);
  });
});
