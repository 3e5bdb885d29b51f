import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fixtureTrajectory } from "@agent-step-value/sdk/testing";
import { describe, expect, it } from "vitest";
import { recordsOf, setUp } from "./export-otlp.test-support.ts";

describe("asv export --as otlp into files", () => {
  it("writes spans, one batch a line, and says what stayed behind", async () => {
    const { done, lines, text } = setUp(2);
    const { stderr, stdout } = await done("export", "./runs.jsonl", "--as", "otlp", "--out", "./spans.jsonl");
    const spans = recordsOf(lines("spans.jsonl"), "Spans");
    const ofOneRun = ["asv.step", "asv.step", "asv.step", "asv.trajectory"];
    expect(spans.map(({ name }) => name)).toEqual([...ofOneRun, ...ofOneRun]);
    expect(stdout).toBe("");
    expect(stderr).toMatch(
      /wrote 8 spans to .*spans\.jsonl\n2 trajectories read\nleft out.*gold 2, candidates 6/,
    );
    expect(stderr).toMatch(/success 2, label 6/);
    const { goldCandidateId, candidates } = fixtureTrajectory().task.candidateSpace;
    for (const word of [goldCandidateId!, ...candidates.map((candidate) => candidate.text), "harmful"]) {
      expect(text("spans.jsonl")).not.toContain(word);
    }
  });

  it("gives the same bytes the second time", async () => {
    const { done, text } = setUp();
    await done("export", "./runs.jsonl", "--as", "otlp", "--out", "./one.jsonl");
    await done("export", "./runs.jsonl", "--as", "otlp", "--out", "./two.jsonl");
    expect(text("one.jsonl")).toBe(text("two.jsonl"));
  });

  it("puts long states into a file of log records beside, one a distinct state", async () => {
    const { done, lines } = setUp(1, 2000);
    const { stderr } = await done(
      "export",
      "./runs.jsonl",
      "--as",
      "otlp",
      "-o",
      "./spans.jsonl",
      "--inline-limit",
      "1000",
    );
    expect(stderr).toMatch(/wrote 4 spans and 2 log records to .*spans\.jsonl and .*spans\.logs\.jsonl/);
    const logs = recordsOf(lines("spans.logs.jsonl"), "Logs");
    expect(logs.map(({ eventName }) => eventName)).toEqual(["asv.state", "asv.state"]);
  });

  it("mixes both signals on standard output, where there is but one stream", async () => {
    const { done } = setUp(1, 2000);
    const { stdout } = await done(
      "export",
      "./runs.jsonl",
      "--as",
      "otlp",
      "--out",
      "-",
      "--inline-limit",
      "10",
    );
    const batches = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as object);
    expect([recordsOf(batches, "Logs").length, recordsOf(batches, "Spans").length]).toEqual([2, 4]);
  });

  it("writes protobuf behind four bytes of length", async () => {
    const { done, at } = setUp(3);
    await done(
      "export",
      "./runs.jsonl",
      "--as",
      "otlp",
      "-o",
      "./spans.pb",
      "--encoding",
      "proto",
      "--max-request-bytes",
      "5000",
    );
    const bytes = readFileSync(at("spans.pb"));
    let messages = 0;
    let offset = 0;
    for (; offset < bytes.length; messages++) {
      expect(bytes[offset + 4]).toBe(0x0a);
      offset += 4 + bytes.readUInt32BE(offset);
    }
    expect(offset).toBe(bytes.length);
    expect(messages).toBeGreaterThan(1);
  });

  it("leaves nothing behind, and what was there before, where the input is bad", async () => {
    const { asv, at, text } = setUp(300);
    writeFileSync(at("spans.jsonl"), "before\n");
    writeFileSync(at("bad.jsonl"), '{"schema_version":"asv.v1","trajectory_id":""}\n');
    const { status } = await asv(
      "export",
      "./runs.jsonl",
      "./bad.jsonl",
      "--as",
      "otlp",
      "-o",
      "./spans.jsonl",
    );
    expect(status).toBe(2);
    expect(text("spans.jsonl")).toBe("before\n");
    expect(readdirSync(at("."))).toEqual(["bad.jsonl", "runs.jsonl", "spans.jsonl"]);
  });

  it("says where it could not write", async () => {
    const { asv } = setUp();
    const { status, stderr } = await asv(
      "export",
      "./runs.jsonl",
      "--as",
      "otlp",
      "-o",
      "./no/such/spans.jsonl",
    );
    expect([status, stderr]).toEqual([
      2,
      expect.stringMatching(/spans\.jsonl: cannot be written \(ENOENT\)/),
    ]);
  });

  it.each<[string[], RegExp]>([
    [[], /either --out FILE .* or --endpoint URL/],
    [["--out", "./x", "--endpoint", "http://localhost:1"], /either --out FILE .* or --endpoint URL/],
    [["--out", "-", "--encoding", "proto"], /binary/],
    [["--out", "./x", "--protocol", "direct"], /--protocol has no meaning with --as otlp/],
    [["--endpoint", "ftp://example.org"], /must be an http or https address/],
    [["--out", "./x", "--start-time", "yesterday"], /ISO 8601/],
    [["--out", "./x", "--inline-limit", "-1"], /inlineLimit/],
  ])("refuses %s", async (words, message) => {
    const { asv } = setUp();
    const { status, stderr } = await asv("export", "./runs.jsonl", "--as", "otlp", ...words);
    expect(stderr).toMatch(message);
    expect(status).toBe(1);
  });

  it("refuses score files, which would stay behind in silence", async () => {
    const { asv, done } = setUp();
    await done(
      "score",
      "./runs.jsonl",
      "--evaluator",
      "lexical",
      "--allow-unreviewed",
      "--cache",
      "./c",
      "-o",
      "./scores.jsonl",
    );
    const { status, stderr } = await asv(
      "export",
      "./runs.jsonl",
      "./scores.jsonl",
      "--as",
      "otlp",
      "-o",
      "./x",
    );
    expect([status, stderr]).toEqual([1, expect.stringMatching(/otlp-evaluations/)]);
  });
});
