import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../schema/index.ts";
import {
  blocksOf,
  breaksOf,
  documents,
  importedAll,
  importedOne,
  linesOf,
  statesText,
  typesOf,
} from "../importing.test-support.ts";
import { sharedFile } from "../../testing/shared-data.ts";
import { commandName } from "./command-name.ts";
import { importSweAgent } from "./import-swe-agent.ts";

const history: JsonObject[] = [
  { role: "system", content: "You are a programmer.", agent: "primary" },
  { role: "user", content: "A demonstration.", is_demo: true },
  { role: "user", content: [{ type: "text", text: "Another." }], message_type: "demonstration" },
  { role: "user", content: "Fix the bug." },
  { role: "assistant", content: "ls" },
  { role: "user", content: "an observation" },
];
const turn = (action: string, observation: string, state: unknown, more: JsonObject = {}) => ({
  action,
  observation,
  response: `I do it.\n\`\`\`\n${action}\`\`\``,
  thought: "I do it.\n",
  state,
  ...more,
});
const opened = (file: string) => ({ open_file: file, working_dir: "/repo" });
const text = (file: string) => `${JSON.stringify(opened(file))}\n`;
const traj = (trajectory: unknown[], over: JsonObject = {}) => ({
  environment: "swe_main",
  trajectory,
  history,
  info: {},
  ...over,
});

describe("importSweAgent", () => {
  it("reads version 0.x, whose turns keep the state as text from before the action", async () => {
    const { trajectory, report } = await importedOne(
      importSweAgent,
      traj(
        [
          turn("open a.py 1\n", "[File: a.py]", text("n/a")),
          turn("ls\n", "a.py", text("a.py")),
          turn("submit\n", "diff --git", text("a.py")),
        ],
        {
          info: {
            exit_status: "submitted",
            submission: "a patch of canary-4711",
            model_stats: { api_calls: 3 },
          },
        },
      ),
    );
    expect(typesOf(trajectory)).toEqual(["open", "ls", "submit"]);
    expect(linesOf(trajectory.steps[0]!.stateBefore)).toEqual([
      "message/system: You are a programmer.",
      "task: Fix the bug.",
      'other/environment: {"open_file":"n/a","working_dir":"/repo"}',
    ]);
    // The file is open once the action that opens it is done: the next turn's "before" says so.
    expect(linesOf(trajectory.steps[0]!.stateAfter).slice(3)).toEqual([
      "reasoning/assistant: I do it.",
      "tool_call/open: open a.py 1\n",
      "evidence/open: [File: a.py]",
      'other/environment: {"open_file":"a.py","working_dir":"/repo"}',
    ]);
    expect(linesOf(trajectory.steps[1]!.stateAfter).at(-1)).toBe("evidence/ls: a.py");
    expect(breaksOf(trajectory)).toEqual([]);
    expect(trajectory).toMatchObject({
      trajectoryId: "swe-agent/runs",
      status: "complete",
      task: { question: "Fix the bug." },
      metadata: {
        exit_status: "submitted",
        environment_state: "before_action",
        state_source: "messages",
        fidelity: "reconstructed",
      },
    });
    expect(JSON.stringify(trajectory)).not.toContain("canary-4711");
    expect(statesText(trajectory)).not.toContain("demonstration");
    expect(report.warningCounts).toEqual({ demonstrations_dropped: 1, no_candidates: 1 });
    expect(report.fidelity).toEqual({ reconstructed: 1 });
  });

  it("reads version 1.x, whose turns keep it as an object from after the action", async () => {
    const { trajectory } = await importedOne(
      importSweAgent,
      traj([
        turn("open a.py 1", "[File: a.py]", opened("a.py"), { execution_time: 0.25 }),
        turn("ls", "a.py", opened("a.py")),
      ]),
    );
    expect(linesOf(trajectory.steps[0]!.stateBefore)).toEqual([
      "message/system: You are a programmer.",
      "task: Fix the bug.",
    ]);
    expect(linesOf(trajectory.steps[0]!.stateAfter).at(-1)).toBe(
      'other/environment: {"open_file":"a.py","working_dir":"/repo"}',
    );
    expect(linesOf(trajectory.steps[1]!.stateAfter).at(-1)).toBe("evidence/ls: a.py");
    expect(trajectory.metadata["environment_state"]).toBe("after_action");
    expect(trajectory.steps[0]!.cost).toEqual({ latency_ms: 250, tool_calls: 1 });
    expect(trajectory.status).toBeUndefined();
  });

  it("takes prompt and task from the first query where there is no history", async () => {
    const query = [history[0]!, { role: "user", content: [{ type: "text", text: "Fix the bug." }] }];
    const { trajectory } = await importedOne(
      importSweAgent,
      traj([turn("ls", "a", {}, { query })], { history: null }),
    );
    expect(trajectory.task.question).toBe("Fix the bug.");
    expect(trajectory.metadata).not.toHaveProperty("environment_state");
  });

  it("makes a turn without an action a thought, and one without a thought what the model wrote", async () => {
    const { trajectory } = await importedOne(
      importSweAgent,
      traj([
        { action: "", observation: null, response: "Hm.", thought: null, state: "" },
        { action: "ls\n", response: "never mind" },
        {},
      ]),
    );
    expect(typesOf(trajectory)).toEqual(["think", "ls", "think"]);
    expect(linesOf(trajectory.steps[2]!.stateAfter).slice(2)).toEqual([
      "reasoning/assistant: Hm.",
      "tool_call/ls: ls\n",
    ]);
    expect(trajectory.steps[0]!.cost).toEqual({ tool_calls: 0 });
  });

  it("tells runs of one file apart, and takes the caller's question", async () => {
    const { trajectories, report } = await importedAll(
      importSweAgent(documents(traj([]), traj([]), traj([], { instance_id: "django-1" })), {
        question: "Why?",
      }),
    );
    expect(trajectories.map(({ trajectoryId }) => trajectoryId)).toEqual([
      "swe-agent/runs",
      "swe-agent/runs/2",
      "swe-agent/django-1",
    ]);
    expect(trajectories[0]!.task.question).toBe("Why?");
    expect(report.warningCounts).toMatchObject({ no_steps: 3 });
  });

  it("shows a secret of an action nowhere, and never as its type", async () => {
    const { trajectory } = await importedOne(
      importSweAgent,
      traj([
        turn("export API_KEY=sk-proj-Ab3dEf6hIj9kLmN0pQrStUvWx && ls\n", "ok", {}),
        turn("OPENAI_API_KEY=sk-proj-Ab3dEf6hIj9kLmN0pQrStUvWx ./run.sh\n", "ok", {}),
      ]),
    );
    expect(typesOf(trajectory)).toEqual(["export", "run.sh"]);
    expect(JSON.stringify(trajectory)).not.toContain("Ab3dEf6hIj9k");
    expect(new Set(JSON.stringify(trajectory).match(/\[SECRET:[a-z-]+:\d+\]/g)).size).toBe(1);
  });

  it.each<[unknown, RegExp]>([
    [{}, /field trajectory: must be a list of turns/],
    [{ trajectory: "none" }, /field trajectory: must be a list of turns/],
    [7, /^runs\.json:1: must be a SWE-agent trajectory, an object/],
    [[{}], /^runs\.json:1: must be a SWE-agent trajectory, an object .*got array of 1/],
    [{ trajectory: [7] }, /field trajectory\.0: must be a turn, an object/],
  ])("refuses %j with its place", async (document, message) => {
    await expect(importedOne(importSweAgent, document)).rejects.toMatchObject({
      code: "invalid_record",
      message: expect.stringMatching(message),
    });
  });
});

describe("commandName", () => {
  it.each([
    ["ls -la\n", "ls"],
    ["/usr/bin/python3 a.py", "python3"],
    ["A=1 B='x y' make", "y"],
    ["str_replace_editor view /repo", "str_replace_editor"],
    ["   ", ""],
    ["(cd x && ls)", "cd"],
    ["a".repeat(500), "a".repeat(60)],
  ])("of %j is %j", (action, name) => {
    expect(commandName(action)).toBe(name);
  });
});

const read = (file: string | undefined): unknown => JSON.parse(readFileSync(file!, "utf8"));
const real = sharedFile("data/traces/swe-agent-pydicom-1458.traj");

describe.skipIf(real === undefined)("the real SWE-agent run", () => {
  it("comes in whole: 12 turns, its issue as task, no demonstration", async () => {
    const { trajectory, report } = await importedOne(importSweAgent, read(real));
    expect(typesOf(trajectory)).toEqual([
      "create",
      "edit",
      "python",
      "find_file",
      "open",
      "edit",
      "edit",
      "edit",
      "edit",
      "python",
      "rm",
      "submit",
    ]);
    expect(trajectory.task.question).toContain("Pixel Representation attribute should be optional");
    expect(trajectory.metadata["environment_state"]).toBe("before_action");
    // What the prompt of the next turn said in the file itself: the new file is open after `create`.
    const said = (read(real) as { history: { content: string }[] }).history[4]!.content;
    expect(said).toContain("(Open file: /pydicom__pydicom/reproduce_bug.py)");
    expect(blocksOf(trajectory.steps[0]!.stateAfter).at(-1)!.text).toContain(
      "/pydicom__pydicom/reproduce_bug.py",
    );
    expect(breaksOf(trajectory)).toEqual([]);
    expect(statesText(trajectory)).not.toContain("Here is a demonstration");
    expect(report.warningCounts).toEqual({ demonstrations_dropped: 1, no_candidates: 1 });
  });
});
