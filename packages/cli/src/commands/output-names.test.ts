import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { workplace } from "./in-process.test-support.ts";

/** Every output that is not the command's own stream of records. */
const BESIDE: readonly (readonly string[])[] = [
  ["report", "runs.jsonl", "--html"],
  ["report", "runs.jsonl", "--junit"],
  ["report", "runs.jsonl", "--markdown"],
  ["report", "runs.jsonl", "--out"],
  ["compare", "runs.jsonl", "--junit"],
  ["compare", "runs.jsonl", "--markdown"],
  ["compare", "runs.jsonl", "--out"],
  ["audit", "runs.jsonl", "--out"],
  ["cues", "cues.jsonl", "--out"],
  ["probe", "--model", "m", "--out"],
  ["export", "runs.jsonl", "--as", "asv-eval", "--out"],
  ["candidates", "new", "--task-id", "t", "--question", "q", "--gold-out"],
  ["candidates", "review", "--apply", "review.md", "--gold-out"],
];

describe("outputs beside what a command prints", () => {
  it.each(BESIDE)("%s %s … refuses -, and writes nothing of that name", async (...words) => {
    const { asv } = workplace();
    const { status, stdout, stderr } = await asv(...words, "-");
    expect([status, stdout]).toEqual([1, ""]);
    expect(stderr).toContain(`${words.at(-1)}`);
    expect(stderr).toMatch(/name a file|must be a folder|name it|needs --out FOLDER/);
    expect(existsSync("-")).toBe(false);
  });

  it.each([...BESIDE, ["pack", "runs.jsonl", "--out"], ["score", "runs.jsonl", "--out"]])(
    "%s %s … refuses an empty name",
    async (...words) => {
      const { asv } = workplace();
      const { status, stdout, stderr } = await asv(...words, "");
      expect([status, stdout]).toEqual([1, ""]);
      expect(stderr).toContain("the name is empty");
    },
  );
});

describe("a command's own records", () => {
  const question = [
    "candidates",
    "new",
    "--task-id",
    "t",
    "--question",
    "q",
    "--answer",
    "a",
    "--answer",
    "b",
  ];

  it.each([
    ["import", "asv-v1", "runs.jsonl"],
    ["import", "otlp", "spans.json"],
    ["batch", "export", "runs.jsonl"],
    ["score", "runs.jsonl"],
  ])("%s does not mix with --json", async (...words) => {
    const { asv } = workplace();
    for (const out of [["--out", "-"], []]) {
      const { status, stdout, stderr } = await asv(...words, "--json", ...out);
      expect([status, stdout]).toEqual([1, ""]);
      expect(stderr).toContain("give --out FILE");
    }
  });

  it("never share a file with their targets", async () => {
    const { asv, at } = workplace();
    const words = [
      ...question,
      "--answer",
      "c",
      "--target",
      "1",
      "--out",
      "./set.jsonl",
      "--gold-out",
      "./set.jsonl",
    ];
    const { status, stderr } = await asv(...words);
    expect(status).toBe(1);
    expect(stderr).toContain("--out and --gold-out both write to");
    expect(existsSync(at("set.jsonl"))).toBe(false);
  });
});
