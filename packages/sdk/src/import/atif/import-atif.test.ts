import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../schema/index.ts";
import {
  breaksOf,
  documents,
  importedAll,
  importedOne,
  linesOf,
  statesText,
  typesOf,
} from "../importing.test-support.ts";
import { importAtif } from "./import-atif.ts";

const steps: JsonObject[] = [
  { step_id: 1, source: "system", message: "Be kind." },
  { step_id: 2, source: "user", message: "Which city?" },
  {
    step_id: 3,
    source: "agent",
    message: "Two looks.",
    reasoning_content: "I need both.",
    tool_calls: [
      { tool_call_id: "c1", function_name: "find", arguments: { q: "old" } },
      { tool_call_id: "c2", function_name: "map", arguments: {} },
    ],
    observation: {
      results: [
        {
          source_call_id: "c2",
          content: [
            { type: "text", text: "a map" },
            { type: "image", source: { media_type: "image/png", path: "images/a.png" } },
          ],
        },
        { source_call_id: "c1", content: "a thousand years" },
        { content: "stray" },
        { source_call_id: "c1", subagent_trajectory_ref: [{ trajectory_id: "sub" }] },
      ],
    },
    metrics: {
      prompt_tokens: 9,
      completion_tokens: 4,
      cost_usd: 0.1,
      logprobs: [-0.1],
      extra: { reward: "canary-4711" },
    },
  },
  {
    step_id: 4,
    source: "system",
    message: "Half of your budget is left.",
    observation: { results: [{ content: "checkpoint" }] },
  },
  { step_id: 5, source: "agent", message: [{ type: "text", text: "Kyoto." }], llm_call_count: 1 },
  { step_id: 6, source: "user", message: "Thanks." },
];
const document = (over: JsonObject = {}): JsonObject => ({
  schema_version: "ATIF-v1.7",
  session_id: "s1",
  agent: { name: "helper", version: "2", model_name: "m", extra: { key: "canary-4711" } },
  steps,
  notes: "canary-4711",
  final_metrics: { total_cost_usd: 1, extra: { reward: 1, gold: "canary-4711" } },
  extra: { verifier: "canary-4711" },
  ...over,
});

describe("importAtif", () => {
  it("makes a step of each step of the agent, with what came back before the next", async () => {
    const { trajectory, report } = await importedOne(importAtif, document());
    expect(trajectory).toMatchObject({
      trajectoryId: "atif/s1",
      task: { question: "Which city?" },
      metadata: {
        agent: "helper",
        agent_version: "2",
        model: "m",
        schema: "ATIF-v1.7",
        fidelity: "reconstructed",
      },
    });
    expect(trajectory.steps.map(({ stepId, action }) => [stepId, action["type"]])).toEqual([
      ["step-3", "find+map"],
      ["step-5", "respond"],
    ]);
    expect(linesOf(trajectory.steps[1]!.stateAfter)).toEqual([
      "message/system: Be kind.",
      "task: Which city?",
      "reasoning/assistant: I need both.",
      "reasoning/assistant: Two looks.",
      'tool_call/find: {"q":"old"}',
      "tool_call/map: {}",
      "evidence/map: a map\n[image images/a.png]",
      "evidence/find: a thousand years",
      "evidence/tool: stray",
      "message/system: Half of your budget is left.",
      "evidence/tool: checkpoint",
      "answer/assistant: Kyoto.",
      "message/user: Thanks.",
    ]);
    expect(trajectory.steps[0]!.cost).toEqual({ prompt_tokens: 9, completion_tokens: 4, tool_calls: 2 });
    expect(breaksOf(trajectory)).toEqual([]);
    expect(JSON.stringify(trajectory)).not.toContain("canary-4711");
    expect(report.warningCounts).toEqual({ result_elsewhere: 1, no_candidates: 1 });
  });

  it("opens with context copied from another run, and makes runs of embedded subagents", async () => {
    const copied = steps.map((step, i) => (i < 3 ? { ...step, is_copied_context: true } : step));
    const { trajectories, report } = await importedAll(
      importAtif(
        documents([
          document({
            steps: copied,
            continued_trajectory_ref: "next.json",
            subagent_trajectories: [
              document({ trajectory_id: "sub", steps: steps.slice(0, 3) }),
              document({
                trajectory_id: "sub",
                steps: [],
                subagent_trajectories: [document({ session_id: null })],
              }),
            ],
          }),
        ]),
      ),
    );
    expect(
      trajectories.map(({ trajectoryId, metadata }) => [trajectoryId, metadata["parent_trajectory"]]),
    ).toEqual([
      ["atif/s1", undefined],
      ["atif/s1/sub", "atif/s1"],
      ["atif/s1/sub-2", "atif/s1"],
      ["atif/s1/sub-2/line-1", "atif/s1/sub-2"],
    ]);
    expect(typesOf(trajectories[0]!)).toEqual(["respond"]);
    expect(linesOf(trajectories[0]!.steps[0]!.stateBefore)).toContain("evidence/find: a thousand years");
    expect(report.warningCounts).toMatchObject({
      copied_context: 1,
      continued_elsewhere: 1,
      repeated_id: 1,
      no_steps: 1,
    });
  });

  it("takes other sources for context, and says so", async () => {
    const { trajectory, report } = await importedOne(
      importAtif,
      document({
        schema_version: "1.4",
        steps: [{ source: "environment", message: "boot" }, { source: "agent", message: "" }, ...steps],
      }),
    );
    // An agent's step that says and does nothing is no turn.
    expect(trajectory.steps.map(({ stepId }) => stepId)).toEqual(["step-5", "step-7"]);
    expect(statesText(trajectory)).toContain("boot");
    expect(report.warningCounts).toMatchObject({ unknown_source: 1 });
  });

  it.each<[unknown, string, RegExp]>([
    [
      document({ schema_version: "ATIF-v2.0" }),
      "unknown_schema_version",
      /field schema_version: must be a version 1 of ATIF, got "ATIF-v2.0"/,
    ],
    [document({ schema_version: 1 }), "invalid_record", /field schema_version: must be text/],
    [document({ steps: {} }), "invalid_record", /field steps: must be a list of steps/],
    [document({ steps: [{ message: "x" }] }), "invalid_record", /field steps\.0\.source/],
    [{ steps: [] }, "invalid_record", /field schema_version/],
    [7, "invalid_record", /^runs\.json:1: must be an ATIF trajectory, an object .*got 7/],
    [document({ steps: [7] }), "invalid_record", /field steps\.0: must be a step, an object/],
  ])("refuses %j with its place", async (value, code, message) => {
    await expect(importedOne(importAtif, value)).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message),
    });
  });
});
