import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { importers } from "@agent-step-value/sdk";
import { describe, expect, it } from "vitest";
import { workplace } from "./in-process.test-support.ts";

const record = (task: number) => ({
  task_id: task,
  trial: 0,
  reward: 1,
  info: { task: { actions: [{ name: "gold-canary-4711" }] } },
  traj: [
    { role: "user", content: `Cancel flight ${task}.` },
    { role: "assistant", content: "Done." },
  ],
});

describe("asv import of foreign logs", () => {
  it("imports, checks clean, and goes through to a report with the outcome set", async () => {
    const { at, done, lines, everything } = workplace();
    const documents = Array.from({ length: 6 }, (_, i) => record(i + 1));
    writeFileSync(at("tau.json"), JSON.stringify(documents, null, 1));
    const { stderr } = await done("import", "tau-bench", "./tau.json", "--out", "./runs.jsonl");
    expect(stderr).toContain("imported 6 trajectories, 6 steps from 6 tau-bench records");
    expect(stderr).toContain("states: 6 reconstructed");
    expect(stderr).toContain("warning: gold_refused (6): ");
    expect(stderr).toContain("warning: no_candidates (6): ");
    const checked = await done("check", "--redaction", "./runs.jsonl");
    expect(checked.stdout).toContain("6 trajectories, 6 steps: valid");
    expect(checked.stdout).toContain("redaction: no hit");
    const outcomes = lines("runs.jsonl").map(({ trajectory_id, success, metadata }) => [
      trajectory_id,
      success,
      metadata,
    ]);
    expect(outcomes[0]).toEqual([
      "tau-bench/1/0",
      true,
      { trial: "0", state_source: "messages", fidelity: "reconstructed" },
    ]);
    // The record file itself holds the answer key; nothing made from it does.
    expect(everything().split("gold-canary-4711")).toHaveLength(6 + 1);
  });

  it("reads documents a line, many files, and prints its report as JSON", async () => {
    const { at, done } = workplace();
    writeFileSync(at("a.jsonl"), `${JSON.stringify(record(1))}\n${JSON.stringify(record(2))}\n`);
    writeFileSync(at("b.json"), JSON.stringify([record(1), { ...record(1), reward: 0 }]));
    const { stdout } = await done(
      "import",
      "tau-bench",
      "./a.jsonl",
      "./b.json",
      "--out",
      "./runs.jsonl",
      "--json",
    );
    expect(JSON.parse(stdout)).toMatchObject({
      format: "tau-bench",
      records: 4,
      trajectories: 3,
      fidelity: { reconstructed: 3 },
      warningCounts: { gold_refused: 3, no_candidates: 3, repeated_id: 1, repeated_record: 1 },
    });
  });

  it("takes the task's question, but not for logs that have one a sample", async () => {
    const { at, asv, done, lines } = workplace();
    writeFileSync(at("a.json"), JSON.stringify(record(1)));
    await done("import", "tau-bench", "./a.json", "--question", "Will it be done?", "--out", "./runs.jsonl");
    expect(lines("runs.jsonl")[0]!["task"]).toMatchObject({ question: "Will it be done?" });
    const refused = await asv("import", "inspect", "./a.json", "--question", "Why?");
    expect(refused.status).toBe(1);
    expect(refused.stderr).toContain("--question is for react");
    expect(refused.stderr).toContain("inspect does not use it");
  });

  it.each<[string, string, number, RegExp]>([
    ["cut off", '{"traj": [', 2, /a\.json:1: the JSON ends before it is complete/],
    ["of another format", '{"steps": []}', 2, /a\.json:1: field traj: must be a list of messages/],
    [
      "empty",
      "",
      2,
      /holds no document[^]*there is no trajectory in 1 file\(s\), which hold 0 tau-bench records/,
    ],
    ["an empty list", "[]", 2, /there is no trajectory in 1 file/],
  ])("ends well on a file that is %s", async (_, content, status, message) => {
    const { at, asv } = workplace();
    writeFileSync(at("a.json"), content);
    const ended = await asv("import", "tau-bench", "./a.json", "--out", "./runs.jsonl");
    expect(ended.status).toBe(status);
    expect(ended.stderr).toMatch(message);
  });

  it("leaves what stood at --out where nothing came of the input", async () => {
    const { at, asv, done, lines } = workplace();
    writeFileSync(at("a.json"), JSON.stringify(record(1)));
    writeFileSync(at("none.json"), "[]");
    await done("import", "tau-bench", "./a.json", "--out", "./runs.jsonl");
    expect((await asv("import", "tau-bench", "./none.json", "--out", "./runs.jsonl")).status).toBe(2);
    expect(lines("runs.jsonl")).toHaveLength(1);
  });

  it("reads a file once that is named twice, by two paths too", async () => {
    const { at, done, lines } = workplace();
    writeFileSync(at("a.json"), JSON.stringify(record(1)));
    symlinkSync(at("a.json"), at("b.json"));
    const { stderr } = await done(
      "import",
      "tau-bench",
      "./a.json",
      "./b.json",
      "./a.json",
      "--out",
      "./runs.jsonl",
    );
    expect(lines("runs.jsonl").map(({ trajectory_id }) => trajectory_id)).toEqual(["tau-bench/1/0"]);
    expect(stderr.match(/is named twice and read once/g)).toHaveLength(2);
  });

  it.each<[string, string[]]>([
    ["otlp", ["--question", "Why?"]],
    ["otlp", ["--answers", "./a.json"]],
    ["tau-bench", ["--states", "./a.json"]],
    ["langfuse", ["--convention", "openinference"]],
    ["swe-agent", ["--trajectory-id", "x"]],
    ["react", ["--shuffle"]],
  ])("refuses for %s what it would pass over: %j", async (format, words) => {
    const { at, asv } = workplace();
    writeFileSync(at("a.json"), JSON.stringify(record(1)));
    const { status, stderr } = await asv("import", format, "./a.json", ...words);
    expect(status).toBe(1);
    expect(stderr).toContain(`${words[0]} is for `);
  });

  it("names every format it knows when asked for another, and describes it on its page", async () => {
    const { asv } = workplace();
    const { status, stderr } = await asv("import", "nope", "./a.json");
    expect(status).toBe(1);
    const page = readFileSync(resolve(import.meta.dirname, "../../../../docs/importing.md"), "utf8");
    for (const format of Object.keys(importers)) {
      expect(stderr).toContain(format);
      expect(page).toContain(`| \`${format}\``);
    }
  });
});
