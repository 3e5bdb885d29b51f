import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { stateSha256, type Trajectory } from "@agent-step-value/sdk";
import { readTrajectories } from "@agent-step-value/sdk/jsonl";
import { afterAll, expect, it } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "asv-plain-loop-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("captures every step of both runs as a closed chain of transitions", async () => {
  const file = join(folder, "runs.jsonl");
  const script = fileURLToPath(new URL("run.ts", import.meta.url));
  const printed = execFileSync(process.execPath, ["--conditions=@agent-step-value/source", script, file], {
    encoding: "utf8",
  });
  expect(printed).toContain("8 steps written");
  expect(printed).toContain("at 18:40.");

  const trajectories: Trajectory[] = [];
  for await (const trajectory of readTrajectories(file)) trajectories.push(trajectory);
  expect(trajectories.map(({ status }) => status)).toEqual(["complete", "complete"]);
  for (const { steps, task } of trajectories) {
    expect(steps.map(({ action }) => action["type"])).toEqual(["plan", "retrieve", "retrieve", "answer"]);
    expect(task.candidateSpace.candidates).toHaveLength(4);
    steps.slice(1).forEach((step, i) => {
      expect(stateSha256(step.stateBefore!)).toBe(stateSha256(steps[i]!.stateAfter!));
    });
    expect(steps.at(-1)!.stateAfter).toMatchObject({
      blocks: [{ kind: "task" }, {}, { kind: "evidence" }, { kind: "answer" }],
    });
  }
});

it("stands in the README as it is run", () => {
  const code = readFileSync(new URL("agent.ts", import.meta.url), "utf8");
  const readme = readFileSync(new URL("README.md", import.meta.url), "utf8");
  const [, shown = ""] = /```ts\n([^]*?)```/.exec(readme) ?? [];
  for (const line of shown.split("\n")) expect(code).toContain(line.trim());
  expect(shown.split("\n").length).toBeGreaterThan(5);
});
