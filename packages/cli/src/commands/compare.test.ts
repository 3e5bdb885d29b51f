import { existsSync, writeFileSync } from "node:fs";
import { PassThrough, Writable } from "node:stream";
import { encodeTrajectory, type State } from "@agent-step-value/sdk";
import { fixtureTrajectory } from "@agent-step-value/sdk/testing";
import { describe, expect, it } from "vitest";
import type { Io } from "../io.ts";
import { run } from "../run.ts";
import { workplace } from "./in-process.test-support.ts";

/** What the tools of a run found: words of one answer, then of another, so that beliefs move. */
function states(run: number): State[] {
  const found = ["The gauge reads high.", "No: the gauge reads low.", "The gauge is exact, exact."];
  const evidence = found.map((_, i) => ({
    kind: "evidence" as const,
    text: found[(run + i) % found.length]!,
  }));
  const task = { kind: "task" as const, text: `Does gauge ${run} read high?` };
  return [0, 1, 2, 3].map((length): State => ({ blocks: [task, ...evidence.slice(0, length)] }));
}

/** Six runs, scored by the evaluator that needs no model through each of the channels. */
async function setUp(...channels: string[]) {
  const place = workplace();
  const runs = Array.from({ length: 6 }, (_, i) =>
    fixtureTrajectory({
      trajectoryId: `run ${i}`,
      question: `Does gauge ${i} read high?`,
      states: states(i),
    }),
  );
  const lines = runs.map((run) => `${JSON.stringify(encodeTrajectory(run))}\n`);
  writeFileSync(place.at("runs.jsonl"), lines.join(""));
  for (const channel of channels) {
    const scored = ["score", "./runs.jsonl", "--evaluator", "lexical", "--cache", "./cache"];
    await place.done(...scored, "--protocol", channel, "--out", `./${channel}.jsonl`);
  }
  const scores = channels.map((channel) => `./${channel}.jsonl`);
  return { ...place, files: ["./runs.jsonl", ...scores], lines };
}

const effect = (json: string) => JSON.parse(json).comparisons[0];

describe("asv compare", () => {
  it("a channel against itself is exactly zero", async () => {
    const { done, files } = await setUp("direct");
    const { stdout } = await done(
      "compare",
      ...files,
      "--baseline",
      "direct",
      "--channel",
      "direct",
      "--json",
    );
    const { all, coverage, differences, warnings } = effect(stdout);
    expect(coverage).toMatchObject({ transitions: 18, paired: 18 });
    expect(all.signed).toMatchObject({ mean: 0, interval: { low: 0, high: 0 } });
    expect(all.absolute.mean).toBe(0);
    expect(all.sign_disagreement.disagree).toBe(0);
    expect(differences).toEqual([]);
    expect(warnings).toContain("same_protocol");
  });

  it("swapping the channels flips every sign", async () => {
    const { done, files } = await setUp("direct", "candidate-only");
    const one = effect((await done("compare", ...files, "--json")).stdout);
    const swapped = await done("compare", ...files, "--baseline", "candidate-only", "--json");
    const other = effect(swapped.stdout);
    expect(one.all.signed.mean).not.toBe(0);
    expect(other.all.signed.mean).toBe(-one.all.signed.mean);
    expect(other.all.signed.interval.low).toBe(-one.all.signed.interval.high);
    expect(other.all.absolute.mean).toBe(one.all.absolute.mean);
    expect(one.differences).toEqual([{ path: "projection.slice", a: "none", b: "full" }]);
  });

  it("writes files, gates and pages for CI, and ends with 3 where a gate fails", async () => {
    const { asv, files, text } = await setUp("direct", "candidate-only");
    const ci = ["--junit", "./junit.xml", "--markdown", "./page.md", "--out", "./out"];
    const gates = ["--gate", "pairs >= 18", "absolute_effect(candidate-only) < 0"];
    const { status, stderr } = await asv("compare", ...files, ...ci, ...gates);
    expect(status).toBe(3);
    expect(stderr).toMatch(/gate pairs >= 18: passed with 18\n/);
    expect(stderr).toMatch(/gate absolute_effect\(candidate-only\) < 0: failed with \d\.\d+/);
    expect(text("junit.xml")).toContain('tests="2" failures="1"');
    expect(text("page.md")).toContain("| candidate-only | direct | 18 |");
    expect(JSON.parse(text("out/comparisons.json")).comparisons).toHaveLength(1);
    expect(text("out/tables/effects.csv").split("\n")[1]).toMatch(/^candidate-only,direct,18,6,0,/);
  });

  it("has its files and gates done before it prints, since a reader may go away", async () => {
    const { files, at } = await setUp("direct", "candidate-only");
    const names = ["out/comparisons.json", "junit.xml", "page.md"];
    const missing: string[] = [];
    const stdout = new Writable({
      write(_chunk, _encoding, done) {
        missing.push(...names.filter((name) => !existsSync(at(name))));
        done();
      },
    });
    const io = { stdout, stderr: new PassThrough(), quiet: true } as unknown as Io;
    const ci = ["--out", at("out"), "--junit", at("junit.xml"), "--markdown", at("page.md")];
    const compared = files.map((file) => at(file.slice(2)));
    expect(await run(["compare", ...compared, ...ci, "--gate", "pairs < 0"], io)).toBe(3);
    expect(missing).toEqual([]);
  });

  it.each(["report", "compare"])("%s writes over no file it reads", async (verb) => {
    const { asv, files, text } = await setUp("direct", "candidate-only");
    const before = text("runs.jsonl");
    for (const option of ["--junit", "--markdown"]) {
      const { status, stderr } = await asv(verb, ...files, option, "./runs.jsonl");
      expect([status, stderr]).toEqual([1, expect.stringContaining("is a file to be read")]);
    }
    expect(text("runs.jsonl")).toBe(before);
  });

  it("says what one channel lacks, and ends with 4", async () => {
    const { asv, files, text, at } = await setUp("direct", "candidate-only");
    const scores = text("candidate-only.jsonl").split("\n");
    const kept = scores.filter((line) => !line.includes("task of run 5"));
    expect(kept.length).toBeLessThan(scores.length);
    writeFileSync(at("candidate-only.jsonl"), kept.join("\n"));
    const { status, stdout } = await asv("compare", ...files);
    expect(status).toBe(4);
    expect(stdout).toContain("15 of 18 transitions have a gain in both, in 5 trajectories");
    expect(stdout).toContain("left out: without a gain in the channel 3");
  });

  it.each([
    [["direct"], [], 1, /hold one protocol, direct \(rho-[0-9a-f]{16}\); a comparison needs two/],
    [["direct", "candidate-only"], ["--channel", "rationale-128"], 1, /hold no channel "?rationale-128/],
    [["direct", "candidate-only"], ["--gate", "mean_surprise<1"], 1, /no number .*signed_effect/s],
    [[], [], 1, /None of the files holds scores/],
  ])("of %j with %j ends with %i", async (channels, words, code, message) => {
    const { asv, files } = await setUp(...channels);
    const { status, stderr, stdout } = await asv("compare", ...files, ...words);
    expect(status).toBe(code);
    expect(stderr).toMatch(message);
    expect(stdout).toBe("");
  });
});

describe("asv audit and asv cues", () => {
  it("puts every channel beside the baseline, and brings verdicts back", async () => {
    const { done, asv, files, text, at } = await setUp("direct", "candidate-only", "direct@evidence");
    const audit = ["audit", ...files, "--contrast", "candidate-only", "--size", "4"];
    const { stdout, stderr } = await done(...audit, "--out", "./out", "--cues");
    expect(stdout).toMatch(/the largest gaps among clean transitions: 4 of 18/);
    expect(stdout).toMatch(/a random sample of clean transitions: 4 of 18/);
    expect(stdout).toMatch(/selected by the very difference/);
    expect(stdout).toMatch(/missing: rationale-128, rationale-512/);
    const { tables } = JSON.parse(text("out/audit.json"));
    const [largest] = tables;
    expect(largest.rows.map((row: { channel: string }) => row.channel)).toEqual([
      "direct",
      "candidate-only",
      "direct@evidence",
    ]);
    const [direct] = largest.rows;
    expect(direct).toMatchObject({ is_baseline: true, gap: { mean: 0 }, absolute_gap: { mean: 0 } });
    expect(stderr).toMatch(/cues\.csv to fill in and cues\.jsonl \(4 transitions/);

    const filled = text("out/cues.csv").replace(/^(cue-[0-9a-f]+),,/m, "$1,No loss,");
    writeFileSync(at("filled.csv"), filled);
    const counted = await done(
      "cues",
      "./out/cues.jsonl",
      "--verdicts",
      "./filled.csv",
      "--out",
      "./judged.jsonl",
    );
    expect(counted.stdout).toMatch(/^1 of 4 transitions have a verdict of a person\n/);
    const again = JSON.parse((await done("cues", "./judged.jsonl", "--json")).stdout);
    expect(again).toMatchObject({ rows: 4, judged: 1 });

    writeFileSync(at("wrong.csv"), filled.replace("No loss", "perhaps"));
    const wrong = await asv("cues", "./out/cues.jsonl", "--verdicts", "./wrong.csv");
    expect(wrong.status).toBe(2);
    expect(wrong.stderr).toMatch(/wrong\.csv:2.*verdict.*compression_loss/);
  });

  it("needs a folder for the work list and two channels for a table", async () => {
    const { asv, files } = await setUp("direct");
    expect((await asv("audit", ...files, "--cues")).stderr).toMatch(/--cues writes files; give --out/);
    const { status, stderr } = await asv("audit", ...files);
    expect(status).toBe(1);
    expect(stderr).toMatch(/hold one protocol, direct \(rho-[0-9a-f]{16}\); an audit needs two/);
  });

  it("never writes over a work list that somebody has begun to fill in, nor over the verdicts", async () => {
    const { done, asv, files, text, at } = await setUp("direct", "candidate-only");
    const audit = ["audit", ...files, "--size", "4", "--out", "./out", "--cues", "--resamples", "20"];
    await done(...audit);
    await done(...audit); // untouched: a second run may
    const untouched = text("out/cues.csv");
    const noted = untouched.replace(/^(cue-[0-9a-f]+),,,/m, "$1,,to be looked at,");
    writeFileSync(at("out/cues.csv"), noted);
    const refused = await asv(...audit);
    expect(refused.status).toBe(1);
    expect(refused.stderr).toMatch(/work list that was changed.*asv cues .*cues\.jsonl --verdicts/);
    expect(text("out/cues.csv")).toBe(noted);

    writeFileSync(at("out/cues.csv"), untouched);
    const judged = text("out/cues.jsonl").replace("}\n", ',"verdict":"no_loss"}\n');
    writeFileSync(at("out/cues.jsonl"), judged);
    expect((await asv(...audit)).status).toBe(1);
    expect(text("out/cues.jsonl")).toBe(judged);

    writeFileSync(at("filled.csv"), untouched);
    const words = ["cues", "./out/cues.jsonl", "--verdicts", "./filled.csv", "--out", "./filled.csv"];
    expect((await asv(...words)).stderr).toMatch(/--out .*filled\.csv is a file to be read/);
    expect(text("filled.csv")).toBe(untouched);
  });
});
