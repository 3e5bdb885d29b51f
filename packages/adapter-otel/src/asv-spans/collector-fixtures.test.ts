import { fileURLToPath } from "node:url";
import { encodeTrajectory, stateSha256, type Trajectory } from "@agent-step-value/sdk";
import { readTrajectories } from "@agent-step-value/sdk/jsonl";
import { beforeAll, describe, expect, it } from "vitest";
import { importOtlp } from "../import/index.ts";

// Written by a real Collector from runs of our own: test/collector/make-fixtures.ts made them.
const at = (name: string) => fileURLToPath(new URL(`../../fixtures/collector/${name}`, import.meta.url));

async function imported(...names: string[]) {
  const run = importOtlp(names.map(at));
  const runs: Trajectory[] = [];
  for await (const trajectory of run) runs.push(trajectory);
  return { runs: runs.sort((a, b) => (a.trajectoryId < b.trajectoryId ? -1 : 1)), report: run.report };
}

/** What of a run a live span carries: order, ids and states. */
const essence = ({ trajectoryId, task, status, steps }: Trajectory) => ({
  trajectoryId,
  status,
  taskId: task.taskId,
  question: task.question,
  steps: steps.map(({ stepId, index, action, stateBefore, stateAfter, discontinuity }) => ({
    stepId,
    index,
    type: action["type"],
    discontinuity,
    before: stateBefore && stateSha256(stateBefore),
    after: stateAfter && stateSha256(stateAfter),
  })),
});

const truth: Trajectory[] = [];
beforeAll(async () => {
  for await (const trajectory of readTrajectories([at("runs.asv.jsonl")])) truth.push(trajectory);
  truth.sort((a, b) => (a.trajectoryId < b.trajectoryId ? -1 : 1));
  expect(truth.flatMap(({ steps }) => steps)).toHaveLength(6);
});

describe("files of a Collector, from live spans", () => {
  it.each([
    ["live/traces.jsonl", "json-lines"],
    ["live/traces.pb", "length-prefixed+proto"],
    ["live/traces.jsonl.zst", "length-prefixed+zstd+json"],
    ["live/traces.pb.zst", "length-prefixed+zstd+proto"],
  ])("%s gives the runs with equal digests in equal order", async (name, framing) => {
    const { runs, report } = await imported(name);
    expect(report.files[0]?.framing).toBe(framing);
    expect(report.outcome).toBe("complete");
    expect(runs.map(essence)).toEqual(truth.map(essence));
  });

  it("give each run once where all framings are read at once", async () => {
    const names = ["traces.jsonl", "traces.pb", "traces.jsonl.zst", "traces.pb.zst"];
    const { runs, report } = await imported(...names.map((name) => `live/${name}`));
    expect(runs.map(essence)).toEqual(truth.map(essence));
    expect(report.duplicates).toEqual({ folded: 3 * (6 + 2), conflicts: 0 });
  });
});

describe("files of a Collector, from asv export", () => {
  it.each([
    ["exported/traces.jsonl", "exported/logs.jsonl"],
    ["exported/traces.pb", "exported/logs.pb"],
    ["exported/traces.jsonl.zst", "exported/logs.jsonl.zst"],
    ["exported/traces.pb.zst", "exported/logs.pb.zst"],
    ["native/traces.jsonl.zst", "native/logs.jsonl.zst"],
    ["native/traces.pb.zst", "native/logs.pb.zst"],
  ])("%s and %s give the stored runs again, field by field", async (...names) => {
    const { runs, report } = await imported(...names);
    expect(report.outcome).toBe("complete");
    const space = { type: "candidate_set", candidates: [] };
    const expected = truth.map((run) =>
      encodeTrajectory({ ...run, task: { ...run.task, candidateSpace: space } }),
    );
    expect(runs.map(encodeTrajectory)).toEqual(expected);
  });

  it("say which states are missing where the log records are not given", async () => {
    const { runs, report } = await imported("exported/traces.jsonl");
    expect(report.states).toMatchObject({ missing: 12, damaged: 0 });
    expect(report.outcome).toBe("partial");
    expect(runs.flatMap(({ steps }) => steps.flatMap(({ stateAfter }) => stateAfter ?? []))).toEqual([]);
  });
});
