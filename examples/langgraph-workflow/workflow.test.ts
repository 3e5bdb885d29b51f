import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { stateSha256, type Block, type Trajectory } from "@agent-step-value/sdk";
import { readTrajectories } from "@agent-step-value/sdk/jsonl";
import { afterAll, beforeAll, expect, it } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "asv-workflow-"));
const runs: Trajectory[] = [];
let printed = "";

beforeAll(async () => {
  const script = fileURLToPath(new URL("run.ts", import.meta.url));
  const file = join(folder, "runs.asv.jsonl");
  printed = execFileSync(process.execPath, ["--conditions=@agent-step-value/source", script, file], {
    encoding: "utf8",
  });
  for await (const trajectory of readTrajectories([file])) runs.push(trajectory);
  // The subgraph closes first.
  runs.reverse();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const types = (run: Trajectory | undefined) => run?.steps.map((step) => step.action["type"]);
const blocks = (state: unknown) => (state as { blocks: Block[] }).blocks;

it("captures the workflow as four steps that chain, its branches as one", () => {
  const [workflow] = runs;
  expect(types(workflow)).toEqual(["make_plan", "readings+reports", "verify", "conclude"]);
  expect(workflow?.status).toBe("complete");
  const states = workflow!.steps;
  for (let i = 1; i < states.length; i += 1) {
    expect(stateSha256(states[i]!.stateBefore!)).toBe(stateSha256(states[i - 1]!.stateAfter!));
  }
  expect(printed).toContain("6 steps written");
  expect(printed).toContain("  1 readings+reports");
});

it("captures the subgraph as a trajectory of its own inside its step", () => {
  const [workflow, verify, ...more] = runs;
  expect(more).toEqual([]);
  expect(types(verify)).toEqual(["contradictions", "eyewitness"]);
  expect(verify?.extra?.["parent_trajectory_id"]).toBe(workflow?.trajectoryId);
  expect(stateSha256(verify!.steps[0]!.stateBefore!)).toBe(stateSha256(workflow!.steps[2]!.stateBefore!));
});

it("makes blocks of the channels, with the evidence of both branches in the order of the nodes", () => {
  const last = blocks(runs[0]?.steps.at(-1)?.stateAfter);
  expect([...new Set(last.map((block) => block.kind))]).toEqual([
    "task",
    "plan",
    "evidence",
    "audit",
    "answer",
  ]);
  const evidence = last.filter((block) => block.kind === "evidence").map((block) => block.text);
  expect(evidence.length).toBe(5);
  expect(evidence[0]).toContain("Almere spillway carried no water");
  expect(last.at(-1)?.text).toBe("The spillway stayed dry.");
});
