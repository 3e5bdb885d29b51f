import { writeFileSync } from "node:fs";
import { encodeTrajectory } from "@agent-step-value/sdk";
import { fixtureTrajectory } from "@agent-step-value/sdk/testing";
import { describe, expect, it } from "vitest";
import { workplace } from "./in-process.test-support.ts";

describe("what somebody meets who uses the command for the first time", () => {
  it("a report without the score file says that it is missing, and one with scores does not", async () => {
    const { asv, at, done } = workplace();
    writeFileSync(at("runs.jsonl"), `${JSON.stringify(encodeTrajectory(fixtureTrajectory()))}\n`);
    const { status, stderr } = await asv("report", "./runs.jsonl");
    expect(status).toBe(4);
    expect(stderr).toContain("no score file was given: score them (asv score FILE --out scores.jsonl)");
    const words = ["./runs.jsonl", "--evaluator", "lexical", "--allow-unreviewed", "--cache", "./cache"];
    await done("score", ...words, "--out", "./scores.jsonl");
    expect((await done("report", "./runs.jsonl", "./scores.jsonl")).stderr).not.toContain("no score file");
  });

  it("an unknown format lists all that are known, traces among them", async () => {
    const { status, stderr } = await workplace().asv("import", "nothing-known", "./x");
    expect(status).toBe(1);
    expect(stderr).toMatch(/There is no importer for "nothing-known".*; use asv-v1, .*, atif, otlp\.\n$/);
  });

  it.each([
    [["report"], "asv report --help"],
    [["candidates", "new", "--nonsense"], "asv candidates new --help"],
    [["nonsense"], "asv --help"],
  ])("a usage error of %j says where the help is", async (words, help) => {
    const { status, stderr } = await workplace().asv(...words);
    expect(status).toBe(1);
    expect(stderr).toContain(`(${help} lists`);
  });
});
