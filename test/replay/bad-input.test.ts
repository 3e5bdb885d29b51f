import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { asv, asvDone, folder } from "./asv.ts";

const step = {
  step_id: "s1",
  action: { type: "read" },
  state_before: { notes: "early words" },
  state_after: { notes: "late words" },
  belief_before: { a: 0.5, b: 0.5 },
  belief_after: { a: 0.9, b: 0.1 },
};
const trajectory = {
  schema_version: "asv.v1",
  trajectory_id: "t1",
  task: {
    question: "Which?",
    candidate_space: {
      candidates: [
        { id: "a", text: "this" },
        { id: "b", text: "that" },
      ],
      gold_candidate_id: "a",
    },
  },
  steps: [step],
};
const line = JSON.stringify(trajectory);
const other = line.replace('"t1"', '"t2"');

/** Content, exit code, what stderr says, and how many trajectories come through. */
const cases: [name: string, content: string, status: number, says: RegExp, packed: number][] = [
  ["a torn last line", `${line}\n${other.slice(0, 90)}`, 0, /runs\.jsonl:2: the last line is cut off/, 1],
  ["NaN", `${line.replace("0.9", "NaN")}\n`, 2, /runs\.jsonl:1: NaN at character \d+/, 0],
  [
    "a belief of sum 0.9",
    `${line.replace("0.9", "0.8")}\n`,
    2,
    /runs\.jsonl:1: field steps\[0\]\.belief_after: .*sums to 0\.9/,
    0,
  ],
  [
    "a duplicate candidate id",
    `${line.replace('"id":"b"', '"id":"a"')}\n`,
    2,
    /:1: field task\.candidate_space\.candidates\[1\]\.id: repeats/,
    0,
  ],
  [
    "a target that is no candidate",
    `${line.replace('"gold_candidate_id":"a"', '"gold_candidate_id":"z"')}\n`,
    2,
    /:1: field task\.candidate_space\.gold_candidate_id/,
    0,
  ],
  [
    "an unknown schema version",
    `${line.replace("asv.v1", "asv.v9")}\n`,
    2,
    /schema_version: is "asv\.v9"/,
    0,
  ],
  ["U+2028 in text", `${line.replace("early", "ear\u2028ly")}\n`, 0, /packed 1/, 1],
  [
    "a lone surrogate",
    `${line.replace("early", "ear\\ud800ly")}\n`,
    0,
    /runs\.jsonl:1: replaced 1 lone surrogate/,
    1,
  ],
  ["a byte order mark", `\ufeff${line}\n`, 0, /packed 1/, 1],
  ["CRLF", `${line}\r\n${other}\r\n`, 0, /packed 2/, 2],
  ["an empty file", "", 0, /holds no record/, 0],
  [
    "a bad line in the middle",
    `${line}\n{bad\n${other}\n`,
    2,
    /runs\.jsonl:2: the line is not valid JSON/,
    0,
  ],
  ["the same trajectory twice", `${line}\n${line}\n`, 0, /packed 1/, 1],
  ["one id with two contents", `${line}\n${line.replace("late", "other")}\n`, 2, /t1/, 0],
  ["a state of 5 MB", `${line.replace("late", "word ".repeat(1_000_000))}\n`, 0, /packed 1/, 1],
];

describe("bad input", () => {
  it.each(cases)("%s", (_, content, status, says, packed) => {
    const at = folder();
    writeFileSync(join(at, "runs.jsonl"), content);
    const ended = asv(at, "pack", "runs.jsonl", "--out", "packed.jsonl");
    expect(ended.stderr).toMatch(says);
    expect(ended.status).toBe(status);
    if (status !== 0) expect(existsSync(join(at, "packed.jsonl"))).toBe(false);
    else expect(readFileSync(join(at, "packed.jsonl"), "utf8").split("\n")).toHaveLength(packed + 1);
  });

  it("a directory and a missing file are named", () => {
    const at = folder();
    mkdirSync(join(at, "dir"));
    for (const [file, says] of [
      ["dir", /is a directory/],
      ["missing.jsonl", /ENOENT/],
    ] as const) {
      const ended = asv(at, "check", file);
      expect([ended.status, ended.stderr]).toEqual([2, expect.stringMatching(says)]);
    }
  });

  it("10,000 steps in one trajectory come through", () => {
    const at = folder();
    const steps = Array.from({ length: 10_000 }, (_, i) => ({
      ...step,
      step_id: `s${i}`,
      state_before: { n: i },
      state_after: { n: i + 1 },
    }));
    writeFileSync(join(at, "runs.jsonl"), `${JSON.stringify({ ...trajectory, steps })}\n`);
    const report = JSON.parse(asvDone(at, "check", "runs.jsonl", "--json").stdout);
    expect(report).toMatchObject({
      trajectories: 1,
      steps: 10_000,
      discontinuities: { declared: 0, undeclared: 0 },
    });
  });

  it("a failure leaves what was there before", () => {
    const at = folder();
    writeFileSync(join(at, "good.jsonl"), `${line}\n`);
    asvDone(at, "pack", "good.jsonl", "--out", "packed.jsonl");
    const before = readFileSync(join(at, "packed.jsonl"), "utf8");
    writeFileSync(join(at, "bad.jsonl"), `${other}\n{bad\n${line}\n`);
    expect(asv(at, "pack", "bad.jsonl", "--out", "packed.jsonl").status).toBe(2);
    expect(readFileSync(join(at, "packed.jsonl"), "utf8")).toBe(before);
  });

  it("an error shows no state", () => {
    const at = folder();
    const secret = "the patient is called Ada";
    writeFileSync(
      join(at, "runs.jsonl"),
      `${line.replace("early", secret).replace('"state_after":{', '"state_after":"x","was":{')}\n`,
    );
    const ended = asv(at, "check", "runs.jsonl");
    expect(ended.status).toBe(2);
    expect(ended.stderr).toMatch(/steps\[0\]\.state_after/);
    expect(ended.stderr).not.toContain("Ada");
  });
});

describe("usage", () => {
  it.each([
    [["import", "nosuch", "x.jsonl"], /no importer for "nosuch".*who-and-when/],
    [["score", "x.jsonl", "--evaluator", "nosuch"], /no evaluator "nosuch".*lexical/],
    [["score", "x.jsonl", "--protocol", "nosuch"], /no protocol "nosuch".*direct/],
    [["score", "x.jsonl", "--protocol", "rationale-128"], /rationale/],
    [["score", "x.jsonl", "--max-usd", "1"], /priceTable|prices/],
    [["score", "x.jsonl", "--shard", "3/2"], /i\/n/],
    [["score", "x.jsonl", "--bogus"], /unknown option/],
    [["bogus"], /unknown command/],
    [["import", "pubmedqa", "x.jsonl", "--json"], /--out/],
  ])("%j exits 1 and says what to do", (args, says) => {
    const at = folder();
    writeFileSync(join(at, "x.jsonl"), `${line}\n`);
    const ended = asv(at, ...args);
    expect(ended.stderr).toMatch(says);
    expect(ended.status).toBe(1);
  });

  it("prints help and version on request", () => {
    const at = folder();
    expect(asvDone(at, "--help").stdout).toMatch(/candidates.*score.*report/s);
    expect(asvDone(at, "--version").stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});

describe("check --redaction", () => {
  it("exits 3 on a secret left in a state and does not repeat it", () => {
    const at = folder();
    const secret = `ghp_${"a1B2".repeat(9)}`;
    writeFileSync(join(at, "runs.jsonl"), `${line.replace("early", `token is ${secret}`)}\n`);
    const ended = asv(at, "check", "runs.jsonl", "--redaction");
    expect(ended.status).toBe(3);
    expect(ended.stdout).toMatch(/runs\.jsonl:1 steps\[0\]\.state_before\.notes: /);
    expect(ended.stdout + ended.stderr).not.toContain(secret);
  });
});
