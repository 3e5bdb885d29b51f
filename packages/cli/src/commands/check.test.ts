import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { workplace } from "./in-process.test-support.ts";

const trajectory = (id: string, candidates: object[]) =>
  JSON.stringify({
    schema_version: "asv.v1",
    trajectory_id: id,
    task: {
      task_id: id,
      question: "Which city?",
      task_type: "open_qa_candidate_set",
      gold_visible_to_evaluator: false,
      gold_used_only_for_validation: true,
      candidate_space: { type: "candidate_set", candidates },
    },
    steps: [],
  });
const set = (id: string, candidates: object[]) =>
  JSON.stringify({
    schema_version: "asv.candidates.v1",
    record: "candidate_set",
    task_id: id,
    question: "Q",
    candidates,
  });
const kyoto = { id: "cand-1", text: "Kyoto" };

describe("asv check of candidate sets", () => {
  it("names sets that freezing would refuse, in trajectories and in files of sets, and ends with 2", async () => {
    const { at, asv } = workplace();
    const runs = [
      trajectory("none-yet", []),
      trajectory("good", [kyoto, { id: "cand-2", text: "Nara" }]),
      trajectory("empty", [kyoto, { id: "cand-2", text: "" }]),
      trajectory("one", [kyoto]),
    ];
    writeFileSync(at("runs.jsonl"), `${runs.join("\n")}\n`);
    writeFileSync(at("sets.jsonl"), `${set("alike", [kyoto, { id: "cand-2", text: " kyoto. " }])}\n`);
    const ended = await asv("check", "./runs.jsonl", "./sets.jsonl");
    expect(ended.status).toBe(2);
    expect(ended.stdout).toContain("3 candidate sets cannot be frozen:\n");
    expect(ended.stdout).toMatch(
      / {2}empty: candidates\[1\]\.text must be a non-empty text for candidate "cand-2"/,
    );
    expect(ended.stdout).toMatch(/ {2}one: candidates must be 2 to 26 candidates/);
    expect(ended.stdout).toMatch(
      / {2}alike: candidates\[1\]\.text must be different from the text of candidate "cand-1"/,
    );
    expect(ended.stdout).not.toMatch(/none-yet|good/);
    // Freezing says the same of the same set.
    const frozen = await asv(
      "candidates",
      "freeze",
      "./runs.jsonl",
      "--reviewer",
      "Ann",
      "--out",
      "./frozen.jsonl",
    );
    expect(frozen.status).not.toBe(0);
  });

  it("has them in its JSON, and nothing to say of good ones", async () => {
    const { at, asv, done } = workplace();
    writeFileSync(at("bad.jsonl"), `${trajectory("empty", [kyoto, { id: "cand-2", text: " \u200b" }])}\n`);
    const bad = await asv("check", "./bad.jsonl", "--json");
    expect(JSON.parse(bad.stdout)).toMatchObject({ unusableSets: { sets: 1, first: [{ of: "empty" }] } });
    writeFileSync(at("good.jsonl"), `${trajectory("good", [kyoto, { id: "cand-2", text: "Nara" }])}\n`);
    const good = await done("check", "./good.jsonl");
    expect(good.stdout).not.toContain("cannot be frozen");
  });
});
