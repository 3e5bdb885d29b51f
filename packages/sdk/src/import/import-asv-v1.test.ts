import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { decodeTrajectory, TRAJECTORY_SCHEMA, type Step, type Trajectory } from "../schema/index.ts";
import { sharedFile } from "../testing/shared-data.ts";
import { importAsvV1 } from "./import-asv-v1.ts";

function step(index: number, fields: Partial<Step> = {}): Step {
  return {
    stepId: `step-${index}`,
    index,
    action: { type: "retrieve" },
    observation: {},
    cost: {},
    qualityFlags: {},
    ...fields,
  };
}

function trajectory(...steps: Step[]): Trajectory {
  return {
    schemaVersion: TRAJECTORY_SCHEMA,
    trajectoryId: "run-1",
    sourceAdapter: "standard_jsonl",
    metadata: {},
    task: {
      taskId: "task-1",
      question: "Which city?",
      taskType: "closed_set_qa",
      goldVisibleToEvaluator: false,
      goldUsedOnlyForValidation: true,
      candidateSpace: { type: "closed_set", candidates: [{ id: "cand-1", text: "Kyoto" }] },
    },
    steps,
  };
}

async function imported(...given: Trajectory[]) {
  const run = importAsvV1(given);
  const trajectories: Trajectory[] = [];
  for await (const one of run) trajectories.push(one);
  return { trajectories, report: run.report };
}

describe("importAsvV1", () => {
  it("passes trajectories with states through untouched", async () => {
    const whole = trajectory(
      step(0, { stateBefore: { a: 1 }, stateAfter: { a: 2 }, observation: { text: "x" } }),
    );
    const { trajectories, report } = await imported(whole);
    expect(trajectories[0]).toBe(whole);
    expect(report).toMatchObject({
      format: "asv.v1",
      records: 1,
      trajectories: 1,
      steps: 1,
      warningCounts: {},
    });
  });

  it("takes gold, outcomes and secrets out of states, says so, and keeps the chain", async () => {
    const secret = `ghp_${"a1B2".repeat(9)}`;
    const middle = { notes: `seen ${secret}`, gold_answer: "Kyoto", success: true };
    const whole = trajectory(
      step(0, { stateBefore: { notes: "none" }, stateAfter: middle }),
      step(1, { stateBefore: middle, stateAfter: { notes: `still ${secret}` } }),
    );
    const { trajectories, report } = await imported(whole);
    const [first, second] = trajectories[0]!.steps;
    expect(first!.stateAfter).toEqual({ notes: "seen [SECRET:github-token:1]" });
    expect(second!.stateBefore).toBe(first!.stateAfter);
    expect(second!.stateAfter).toEqual({ notes: "still [SECRET:github-token:1]" });
    expect(report.warningCounts).toEqual({ redacted: 1 });
    expect(trajectories[0]!.redaction!.hits["github-token"]).toBe(2);
    expect(JSON.stringify(report)).not.toContain(secret);
    expect(middle.gold_answer).toBe("Kyoto");
  });

  it("builds growing states from observations where a step has none, and says so", async () => {
    const { trajectories, report } = await imported(
      trajectory(
        step(0, { observation: { text: "Kyoto was the capital." }, beliefBefore: { "cand-1": 1 } }),
        step(1),
        step(2, { observation: { hits: 2, ok: true } }),
      ),
    );
    const [first, second, third] = trajectories[0]!.steps;
    expect(first!.stateBefore).toEqual({ blocks: [{ kind: "task", text: "Which city?" }] });
    expect(first!.beliefBefore).toEqual({ "cand-1": 1 });
    expect(second!.stateAfter).toBeUndefined();
    expect(third!.stateBefore).toBe(first!.stateAfter);
    expect(third!.stateAfter).toEqual({
      blocks: [
        { kind: "task", text: "Which city?" },
        { kind: "evidence", name: "retrieve", text: "Kyoto was the capital." },
        { kind: "evidence", name: "retrieve", text: '{"hits":2,"ok":true}' },
      ],
    });
    expect(report.warningCounts).toEqual({ no_state: 1, states_from_observations: 1 });
    expect(report.warnings[1]!.message).toBe("run-1: states of 2 steps are built from observations");
  });

  it("keeps the states a step has, next to steps that have none", async () => {
    const own = { note: "seen" };
    const { trajectories } = await imported(
      trajectory(
        step(0, { stateAfter: own, observation: { text: "one" } }),
        step(1, { observation: { text: "two" } }),
      ),
    );
    const [first, second] = trajectories[0]!.steps;
    expect(first!.stateBefore).toBeUndefined();
    expect(first!.stateAfter).toBe(own);
    expect(second!.stateBefore).toEqual({
      blocks: [
        { kind: "task", text: "Which city?" },
        { kind: "evidence", name: "retrieve", text: "one" },
      ],
    });
  });
});

const sample = sharedFile("reference/sample_trajectories.jsonl");

describe.skipIf(sample === undefined)("sample trajectories of the Python toolkit", () => {
  it("get states for every step, and keep beliefs and labels", async () => {
    const given = readFileSync(sample!, "utf8")
      .split("\n")
      .filter(Boolean)
      .map((line, i) => decodeTrajectory(JSON.parse(line), { source: sample!, line: i + 1 }));
    const { trajectories, report } = await imported(...given);
    expect(report.warningCounts).toEqual({ states_from_observations: given.length });
    trajectories.forEach(({ steps }, i) => {
      steps.forEach((one, j) => {
        const { stateBefore, stateAfter, ...rest } = one;
        expect(rest).toEqual(given[i]!.steps[j]);
        expect(stateAfter).toMatchObject({ blocks: { length: j + 2 } });
        expect(stateBefore).toMatchObject({ blocks: { length: j + 1 } });
      });
    });
  });
});
