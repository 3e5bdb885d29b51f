import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { encodeScoreFileRecord, encodeTrajectory } from "@agent-step-value/sdk";
import { syntheticStudy } from "@agent-step-value/sdk/testing";
import { describe, expect, it } from "vitest";
import { workplace } from "./in-process.test-support.ts";

function place() {
  const here = workplace();
  const { trajectories, channels } = syntheticStudy({ trajectories: 2 });
  const lines = (records: readonly unknown[]) =>
    records.map((record) => `${JSON.stringify(record)}\n`).join("");
  writeFileSync(here.at("runs.jsonl"), lines(trajectories.map((one) => encodeTrajectory(one))));
  writeFileSync(
    here.at("scores.jsonl"),
    lines(channels[0]!.records.map((record) => encodeScoreFileRecord(record))),
  );
  symlinkSync("runs.jsonl", here.at("link.jsonl"));
  symlinkSync("runs.jsonl", here.at("spans.logs.jsonl"));
  mkdirSync(here.at("folder"));
  symlinkSync("../runs.jsonl", here.at("folder/steps.jsonl"));
  return here;
}

describe("no command writes over what it reads", () => {
  it.each([
    ["score", "./runs.jsonl", "--evaluator", "lexical", "--out", "./runs.jsonl"],
    ["score", "./runs.jsonl", "--evaluator", "lexical", "--out", "./link.jsonl"],
    [
      "score",
      "./runs.jsonl",
      "--evaluator",
      "lexical",
      "--swapped-from",
      "./scores.jsonl",
      "--out",
      "./scores.jsonl",
    ],
    ["import", "asv-v1", "./runs.jsonl", "--out", "./runs.jsonl"],
    ["import", "otlp", "./runs.jsonl", "--out", "./link.jsonl"],
    ["import", "otlp", "./scores.jsonl", "--states", "./runs.jsonl", "--out", "./runs.jsonl"],
    ["batch", "export", "./runs.jsonl", "--model", "m", "--out", "./runs.jsonl"],
    ["candidates", "generate", "./runs.jsonl", "--model", "m", "--out", "./runs.jsonl"],
    ["export", "./runs.jsonl", "--as", "otlp", "--out", "./runs.jsonl"],
    ["export", "./runs.jsonl", "--as", "otlp", "--out", "./spans.jsonl"],
    ["export", "./runs.jsonl", "./scores.jsonl", "--as", "otlp-evaluations", "--out", "./scores.jsonl"],
  ])("%s %s %s …", async (...words) => {
    const { asv, at } = place();
    const before = ["runs.jsonl", "scores.jsonl"].map((name) => readFileSync(at(name), "utf8"));
    const { status, stderr } = await asv(...words);
    expect(stderr).toMatch(/--out .* is a file to be read; name another one/);
    expect(status).toBe(1);
    expect(["runs.jsonl", "scores.jsonl"].map((name) => readFileSync(at(name), "utf8"))).toEqual(before);
  });

  it("nor does an export of several files", async () => {
    const { asv, text } = place();
    const before = text("runs.jsonl");
    const words = ["export", "./runs.jsonl", "./scores.jsonl", "--as", "asv-eval", "--out"];
    const { status, stderr } = await asv(...words, "./folder");
    expect([status, stderr]).toEqual([1, expect.stringContaining("is a file to be read")]);
    expect(text("runs.jsonl")).toBe(before);
  });

  it("packing and freezing in place stay possible, since the file comes back with all it had", async () => {
    const { done, lines } = place();
    const before = lines("runs.jsonl").length;
    await done("pack", "./runs.jsonl", "--out", "./runs.jsonl");
    await done("candidates", "freeze", "./runs.jsonl", "--reviewer", "test");
    expect(lines("runs.jsonl")).toHaveLength(before);
  });
});
