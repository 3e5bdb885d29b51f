import { describe, expect, it } from "vitest";
import type { Block, Trajectory } from "../schema/index.ts";
import { importReact } from "./import-react.ts";

async function imported(text: string, candidates = [{ id: "cand-1", text: "Kyoto" }]) {
  const run = importReact(text, { question: "Which city?", trajectoryId: "run-1", candidates });
  const trajectories: Trajectory[] = [];
  for await (const trajectory of run) trajectories.push(trajectory);
  return { trajectory: trajectories[0]!, report: run.report };
}

const actionsOf = ({ steps }: Trajectory) => steps.map(({ action }) => action["type"]);
const blocksOf = ({ steps }: Trajectory, step: number) =>
  steps[step]!.stateAfter?.["blocks"] as unknown as Block[];

describe("importReact", () => {
  it("pairs action and observation, with the thought that led to them", async () => {
    const { trajectory, report } = await imported(
      [
        "Thought 1: I should search.",
        "Perhaps twice.",
        "Action 1: Search[old capital]",
        "Observation 1: Kyoto was the capital",
        "for a thousand years.",
        "Thought 2: I know.",
        "Action 2: Finish[Kyoto]",
      ].join("\n"),
    );
    expect(actionsOf(trajectory)).toEqual(["search", "finish"]);
    expect(trajectory.steps[0]!.stateBefore).toEqual({ blocks: [{ kind: "task", text: "Which city?" }] });
    expect(trajectory.steps[1]!.stateBefore).toBe(trajectory.steps[0]!.stateAfter);
    expect(blocksOf(trajectory, 1)).toEqual([
      { kind: "task", text: "Which city?" },
      { kind: "reasoning", text: "I should search.\nPerhaps twice." },
      { kind: "tool_call", name: "search", text: "Search[old capital]" },
      { kind: "evidence", name: "search", text: "Kyoto was the capital\nfor a thousand years." },
      { kind: "reasoning", text: "I know." },
      { kind: "answer", name: "finish", text: "Finish[Kyoto]" },
    ]);
    expect(report).toMatchObject({
      format: "react",
      records: 1,
      trajectories: 1,
      steps: 2,
      warningCounts: {},
    });
  });

  it("reads the form with an action input and a final answer, in bold and with CRLF", async () => {
    const { trajectory, report } = await imported(
      '**Thought:** look\r\n**Action:** web_search\r\n**Action Input:** {"q": 1}\r\nObservation: found\r\nFinal Answer: Kyoto',
    );
    expect(actionsOf(trajectory)).toEqual(["web_search", "finish"]);
    expect(blocksOf(trajectory, 1).map(({ kind, text }) => [kind, text])).toEqual([
      ["task", "Which city?"],
      ["reasoning", "look"],
      ["tool_call", "web_search"],
      ["tool_call", '{"q": 1}'],
      ["evidence", "found"],
      ["answer", "Kyoto"],
    ]);
    expect(report.warningCounts).toEqual({});
  });

  it("says what does not fit the pattern, and loses none of it but the preamble", async () => {
    const { trajectory, report } = await imported(
      "Hello.\nObservation: stray\nAction: Look\nAction: Search[x]\nObservation: one\nObservation: two\nThought: end",
    );
    expect(actionsOf(trajectory)).toEqual(["observe", "look", "search", "observe", "think"]);
    expect(report.warningCounts).toEqual({ preamble: 1, no_action: 2, no_observation: 1 });
    const shown = blocksOf(trajectory, 4).map(({ text }) => text);
    expect(shown).toEqual(["Which city?", "stray", "Look", "Search[x]", "one", "two", "end"]);
  });

  it("gives a trajectory without steps for a text without headings", async () => {
    const { trajectory, report } = await imported("I think it is Kyoto.");
    expect(trajectory.steps).toEqual([]);
    expect(report.warningCounts).toEqual({ preamble: 1, no_steps: 1 });
  });
});
