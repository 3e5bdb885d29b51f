import { writeFileSync } from "node:fs";
import { encodeTrajectory } from "@agent-step-value/sdk";
import { fixtureTrajectory } from "@agent-step-value/sdk/testing";
import { expect, it } from "vitest";
import { workplace } from "./in-process.test-support.ts";

const question = "Who built the dam?";

/** Two runs of one question under task ids of their own, and a set that knows a third one. */
async function setUp() {
  const place = workplace();
  const runs = ["seen by a tracer", "seen by another"].map((trajectoryId) => {
    const { task, ...rest } = fixtureTrajectory({ trajectoryId, question, frozen: false });
    return { ...rest, task: { ...task, candidateSpace: { type: "candidate_set", candidates: [] } } };
  });
  const lines = runs.map((run) => `${JSON.stringify(encodeTrajectory(run))}\n`);
  writeFileSync(place.at("runs.jsonl"), lines.join(""));
  const set = ["candidates", "new", "--task-id", "dam", "--question", question, "--out", "./sets.jsonl"];
  const answers = ["--answer", "the miners", "--answer", "the abbey", "--answer", "the town"];
  await place.done(...set, ...answers, "--target", "2", "--gold-out", "./gold.jsonl");
  return place;
}

it("a set found by its question brings the target of its own task", async () => {
  const { done, lines } = await setUp();
  const files = ["--candidates", "./sets.jsonl", "--gold", "./gold.jsonl"];
  const { stderr } = await done("candidates", "attach", "./runs.jsonl", ...files);
  expect(stderr).toContain("attached 1 candidate sets to 2 trajectories, 2 of them with a target");
  for (const { task } of lines("runs.jsonl") as { task: { candidate_space: Record<string, unknown> } }[]) {
    const { candidates, gold_candidate_id: target } = task.candidate_space as {
      candidates: { id: string; text: string }[];
      gold_candidate_id: string;
    };
    expect(candidates.find(({ id }) => id === target)?.text).toBe("the abbey");
  }
});

it("says how many have a set and no target", async () => {
  const { done, text, at } = await setUp();
  writeFileSync(at("gold.jsonl"), text("gold.jsonl").replace('"dam"', '"bridge"'));
  const files = ["--candidates", "./sets.jsonl", "--gold", "./gold.jsonl"];
  const { stderr } = await done("candidates", "attach", "./runs.jsonl", ...files);
  expect(stderr).toContain("2 trajectories have a set and no target");
});
