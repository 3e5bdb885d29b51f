import { describe, expect, it } from "vitest";
import { importTauBench, type Trajectory } from "@agent-step-value/sdk";
import { readTrajectories } from "@agent-step-value/sdk/jsonl";
import { trajectoryRecords } from "./trajectory-records.ts";

async function imported(): Promise<Trajectory> {
  const traj = [
    { role: "user", content: "password=hunter-2-x9Q7 Cancel it." },
    { role: "assistant", content: "Which one?" },
    { role: "user", content: "AB1" },
    { role: "assistant", content: "Done." },
  ];
  const json = { task_id: 1, trial: 0, reward: 1, traj };
  for await (const trajectory of importTauBench([{ place: { source: "x", line: 1 }, json }]))
    return trajectory;
  throw new Error("nothing imported");
}

async function readBack(lines: Iterable<unknown>): Promise<Trajectory[]> {
  const text = [...lines].map((line) => `${JSON.stringify(line)}\n`).join("");
  const read: Trajectory[] = [];
  for await (const trajectory of readTrajectories(chunks(text))) read.push(trajectory);
  return read;
}

async function* chunks(text: string): AsyncGenerator<string> {
  yield text;
}

describe("trajectoryRecords", () => {
  it("gives one line where it can be read back", async () => {
    const trajectory = await imported();
    const lines = [...trajectoryRecords(trajectory)];
    expect(lines).toHaveLength(1);
    expect(await readBack(lines)).toEqual([trajectory]);
  });

  it("gives live records of a longer one, which read back as the same trajectory", async () => {
    const trajectory = await imported();
    const lines = [...trajectoryRecords(trajectory, 10)];
    expect(lines.map(({ record }) => record)).toEqual(["open", "step", "step", "close"]);
    // The second step's before-state is the first one's after-state, and stands there once.
    expect(lines[2]).not.toHaveProperty("state_before");
    expect(await readBack(lines)).toEqual([{ ...trajectory, status: "complete" }]);
  });

  it("keeps both states where the chain breaks", async () => {
    const trajectory = await imported();
    const broken = structuredClone(trajectory);
    broken.steps[1]!.stateBefore = { blocks: [] };
    broken.steps[1]!.discontinuity = true;
    const lines = [...trajectoryRecords(broken, 10)];
    expect(lines[2]).toHaveProperty("state_before", { blocks: [] });
    expect(await readBack(lines)).toEqual([{ ...broken, status: "complete" }]);
  });
});
