import { existsSync, writeFileSync } from "node:fs";
import { encodeTrajectory } from "@agent-step-value/sdk";
import {
  decisionAnswers,
  fixtureTrajectory,
  startModelServer,
  type ModelServerOptions,
} from "@agent-step-value/sdk/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { CANARY, workplace } from "./in-process.test-support.ts";

async function setUp(script: NonNullable<ModelServerOptions["script"]> = []) {
  const place = workplace();
  const server = await startModelServer({ script });
  onTestFinished(() => server.close());
  const model = [
    "--base-url",
    server.baseUrl,
    "--model",
    "m-1",
    "--api-key-env",
    "ASV_TEST_KEY",
    "--attempts",
    "1",
  ];
  const run = JSON.stringify(encodeTrajectory(fixtureTrajectory()));
  writeFileSync(place.at("runs.jsonl"), `${run}\n`);
  return { ...place, server, model };
}

describe("asv probe", () => {
  it("tells what it saw, writes the file that asv score reads, and ends with 0", async () => {
    const { done, model, text, server, everything } = await setUp();
    const { stdout, stderr } = await done("probe", ...model, "--out", "./capability.json");
    expect(stdout).toMatch(/^m-1 at local \(preset compatible\), 8 calls: fit to score\n {2}ok {4}answered /);
    expect(stdout).toMatch(/\n {2}ok {4}labels_listed {4} all labels in all 4 lists\n/);
    expect(stdout).toMatch(/\n {2}label mass at least 0\.95/);
    expect(JSON.parse(text("capability.json"))).toMatchObject({
      schema_version: "asv.capability.v1",
      endpoint: "local",
      model: "m-1",
      ok: true,
      repeat_noise: 0,
    });
    const score = ["score", "./runs.jsonl", "--evaluator", "openai", ...model, "--cache", "./cache"];
    await done(...score, "--capabilities", "./capability.json", "--out", "./scores.jsonl");
    expect(server.counts.scored).toBe(8 + 4);
    expect(stdout + stderr + everything()).not.toContain(CANARY);
  });

  it("ends with 3 where the endpoint cannot score, and asv score then refuses it before a call", async () => {
    const { asv, model, text, server } = await setUp(() => "no-logprobs");
    const { status, stdout } = await asv("probe", ...model, "--out", "./capability.json");
    expect(status).toBe(3);
    expect(stdout).toMatch(/not fit to score\n {2}FAIL {2}answered .*no_logprobs/);
    expect(JSON.parse(text("capability.json")).ok).toBe(false);
    const calls = server.counts.requests;
    const score = [
      "score",
      "./runs.jsonl",
      "--evaluator",
      "openai",
      ...model,
      "--no-cache",
      "--out",
      "./s.jsonl",
    ];
    const refused = await asv(...score, "--capabilities", "./capability.json");
    expect([refused.status, refused.stderr]).toEqual([1, expect.stringMatching(/failed its probe of/)]);
    expect(server.counts.requests).toBe(calls);
    expect((await asv(...score, "--capabilities", "./capability.json", "--ignore-probe")).status).not.toBe(1);
  });

  it("prints the report itself with --json, and writes no file without --out", async () => {
    const { done, model, at } = await setUp();
    const { stdout } = await done("probe", ...model, "--json");
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, calls: 8 });
    expect(existsSync(at("capability.json"))).toBe(false);
  });

  it("a refused key is a finding that holds no key", async () => {
    const { asv, model, everything } = await setUp([
      {
        do: "json",
        status: 401,
        json: { error: { message: `Incorrect API key provided: ${CANARY}.`, code: "invalid_api_key" } },
      },
    ]);
    const { status, stdout, stderr } = await asv("probe", ...model, "--out", "./capability.json");
    expect(status).toBe(3);
    expect(stdout).toMatch(/1 calls: not fit to score/);
    expect(stdout).toMatch(/status 401/);
    expect(stdout + stderr + everything()).not.toContain(CANARY);
  });

  it("a server's words move no cursor", async () => {
    const { asv, model } = await setUp(() => ({
      do: "answer",
      change: (reply) => void (reply["model"] = "x\u001b[2J"),
    }));
    const { stdout } = await asv("probe", ...model);
    expect(stdout).toMatch(/FAIL {2}model_returned/);
    expect(stdout).not.toContain("\u001b");
  });

  it("probes the Decisions endpoint, and nothing that calls no server", async () => {
    const { done, asv, model } = await setUp(decisionAnswers());
    const { stdout } = await done("probe", "--evaluator", "decisions", ...model);
    expect(stdout).toMatch(/6 calls: fit to score/);
    const lexical = await asv("probe", "--evaluator", "lexical");
    expect([lexical.status, lexical.stderr]).toEqual([1, expect.stringMatching(/nothing to probe/)]);
    expect((await asv("probe")).status).toBe(1);
  });
});

describe("asv score --evaluator decisions", () => {
  it("scores by choice probabilities, and the report says what kind they are", async () => {
    const { done, model, lines } = await setUp(decisionAnswers());
    const words = ["--evaluator", "decisions", ...model, "--cache", "./cache", "--out", "./scores.jsonl"];
    await done("score", "./runs.jsonl", ...words);
    expect(lines("scores.jsonl")[1]).toMatchObject({
      record: "score",
      evaluator: { kind: "decisions", model: "m-1" },
      flags: ["probability_source"],
    });
    const report = await done("report", "./runs.jsonl", "./scores.jsonl", "--json");
    const summary = JSON.parse(report.stdout);
    expect(summary.evaluator_kinds).toEqual(["decisions"]);
    expect(summary.cautions).toEqual([expect.stringMatching(/own choice probabilities/)]);
  });
});
