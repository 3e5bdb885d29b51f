import { readFileSync } from "node:fs";
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
import { sharedFile } from "../../testing/shared-data.ts";
import { importTau2 } from "./import-tau2.ts";
import { importTauBench } from "./import-tau-bench.ts";

const canary = "canary-gold-4711";
const traj = [
  { role: "system", content: "Policy." },
  { role: "user", content: "Cancel my flight." },
  { role: "assistant", content: "Which one?" },
  { role: "user", content: "AB1" },
  {
    role: "assistant",
    content: null,
    tool_calls: [{ id: "c1", type: "function", function: { name: "cancel", arguments: '{"id": "AB1"}' } }],
  },
  { role: "tool", tool_call_id: "c1", name: "cancel", content: "done" },
  { role: "assistant", content: "It is cancelled." },
  { role: "user", content: "###STOP###" },
];
const record = (over: JsonObject = {}): JsonObject => ({
  task_id: 3,
  trial: 1,
  reward: 1,
  info: {
    task: {
      user_id: "u",
      instruction: `hidden ${canary}`,
      actions: [{ name: canary, kwargs: {} }],
      outputs: [canary],
    },
    reward_info: { reward: 1, info: { gt_data_hash: canary }, actions: [] },
  },
  traj,
  ...over,
});

describe("importTauBench", () => {
  it("makes a step of each turn of the agent, with the results or the user's reply that came back", async () => {
    const { trajectories, report } = await importedAll(importTauBench(documents([record()])));
    const [trajectory] = trajectories;
    expect(trajectory).toMatchObject({
      trajectoryId: "tau-bench/3/1",
      finalScore: 1,
      success: true,
      task: { taskId: "tau-bench/3", question: "Cancel my flight." },
      metadata: { trial: "1", state_source: "messages", fidelity: "reconstructed" },
    });
    expect(trajectory!.steps.map(({ stepId, action }) => [stepId, action["type"]])).toEqual([
      ["message-2", "respond"],
      ["message-4", "cancel"],
      ["message-6", "respond"],
    ]);
    expect(linesOf(trajectory!.steps[0]!.stateBefore)).toEqual([
      "message/system: Policy.",
      "task: Cancel my flight.",
    ]);
    expect(linesOf(trajectory!.steps[2]!.stateAfter).slice(2)).toEqual([
      "answer/assistant: Which one?",
      "message/user: AB1",
      'tool_call/cancel: {"id":"AB1"}',
      "evidence/cancel: done",
      "answer/assistant: It is cancelled.",
      "message/user: ###STOP###",
    ]);
    expect(breaksOf(trajectory!)).toEqual([]);
    expect(report.warningCounts).toEqual({ gold_refused: 1, no_candidates: 1 });
  });

  it("keeps required actions, outputs, instruction and digests nowhere", async () => {
    const { trajectory } = await importedOne(importTauBench, record());
    expect(JSON.stringify(trajectory)).not.toContain(canary);
    expect(statesText(trajectory)).not.toContain("reward");
  });

  it("takes a reward that is no number for missing, and less than 1 for no success", async () => {
    const lines = documents(
      record({ reward: 0.5 }),
      record({ reward: "1", trial: null }),
      record({ reward: null, task_id: "x" }),
    );
    const { trajectories, report } = await importedAll(importTauBench(lines));
    expect(
      trajectories.map(({ trajectoryId, finalScore, success }) => [trajectoryId, finalScore, success]),
    ).toEqual([
      ["tau-bench/3/1", 0.5, false],
      ["tau-bench/3", undefined, undefined],
      ["tau-bench/x/1", undefined, undefined],
    ]);
    expect(report.warningCounts).toMatchObject({ no_reward: 2 });
  });

  it("takes the caller's question, and says what is no message", async () => {
    const lines = documents(record({ traj: [...traj.slice(0, 3), 7, { content: "lost" }, "text"] }));
    const { trajectories, report } = await importedAll(
      importTauBench(lines, { question: "Will it be done?" }),
    );
    expect(trajectories[0]!.task.question).toBe("Will it be done?");
    expect(report.warningCounts).toMatchObject({ not_a_message: 3 });
  });

  it.each<[unknown, RegExp]>([
    [7, /^runs\.json:1: must be a record/],
    [[record(), 7], /field \[1\]: must be a record/],
    [record({ traj: "none" }), /field traj: must be a list of messages/],
    [[{ task_id: 1 }], /field \[0\]\.traj/],
  ])("refuses %# with its place", async (value, message) => {
    await expect(importedAll(importTauBench(documents(value)))).rejects.toMatchObject({
      code: "invalid_record",
      message: expect.stringMatching(message),
    });
  });
});

const messages = [
  { role: "assistant", content: "Hello.", turn_idx: 0 },
  { role: "user", content: "My phone is dead.", turn_idx: 1 },
  {
    role: "assistant",
    content: null,
    tool_calls: [{ id: "a1", name: "lookup", arguments: { n: 1 }, requestor: "assistant" }],
  },
  { role: "tool", id: "a1", content: "a line", requestor: "assistant", error: false },
  { role: "assistant", content: "Please restart it." },
  {
    role: "user",
    content: null,
    tool_calls: [{ id: "u1", name: "restart", arguments: {}, requestor: "user" }],
  },
  { role: "tool", id: "u1", content: `restarted ${canary}`, requestor: "user", error: false },
  { role: "user", content: "It works." },
  {
    role: "tool",
    tool_messages: [
      { role: "tool", id: "u2", content: canary, requestor: "user" },
      { role: "tool", id: "a2", content: "late", requestor: "assistant", error: true },
    ],
  },
];
const simulation = (over: JsonObject = {}): JsonObject => ({
  id: "sim",
  task_id: "t7",
  trial: 0,
  termination_reason: "user_stop",
  reward_info: {
    reward: 1,
    action_checks: [{ action: { name: canary } }],
    nl_assertions: [{ nl_assertion: canary }],
  },
  review: { summary: canary },
  messages,
  ...over,
});
const results = (...simulations: JsonObject[]): JsonObject => ({
  timestamp: "now",
  info: { environment_info: { domain_name: "telecom" } },
  tasks: [
    {
      id: "t7",
      user_scenario: { instructions: canary },
      evaluation_criteria: { actions: [{ name: canary }] },
    },
  ],
  simulations,
});

describe("importTau2", () => {
  it("reads a results file from the agent's side", async () => {
    const { trajectory, report } = await importedOne(importTau2, results(simulation()));
    expect(trajectory).toMatchObject({
      trajectoryId: "tau2/telecom/t7/0",
      success: true,
      finalScore: 1,
      task: { taskId: "tau2/telecom/t7", question: "My phone is dead.", domain: "telecom" },
      metadata: { termination_reason: "user_stop" },
    });
    expect(typesOf(trajectory)).toEqual(["respond", "lookup", "respond"]);
    expect(trajectory.steps[0]!.stateBefore).toEqual({ blocks: [] });
    expect(linesOf(trajectory.steps[2]!.stateAfter)).toEqual([
      "answer/assistant: Hello.",
      "task: My phone is dead.",
      'tool_call/lookup: {"n":1}',
      "evidence/lookup: a line",
      "answer/assistant: Please restart it.",
      "message/user: It works.",
      "other/tool: late",
    ]);
    expect(JSON.stringify(trajectory)).not.toContain(canary);
    expect(report.warningCounts).toEqual({ gold_refused: 1, user_tools_hidden: 1, no_candidates: 1 });
    expect(report.warnings.find(({ code }) => code === "user_tools_hidden")!.message).toContain(
      "3 tool calls",
    );
  });

  it("reads lists and single simulations, trials and ids", async () => {
    const { trajectories } = await importedAll(
      importTau2(
        documents(
          [simulation({ trial: null }), simulation({ trial: null, id: "" })],
          simulation({ task_id: 4 }),
          results(),
        ),
      ),
    );
    expect(trajectories.map(({ trajectoryId }) => trajectoryId)).toEqual([
      "tau2/t7/sim",
      "tau2/t7/0",
      "tau2/4/0",
    ]);
  });

  it("puts spoken simulations together", async () => {
    const say = (content: string) => ({ role: "x", content, is_audio: false });
    const ticks = [
      { tick_id: 0, user_chunk: say("My phone ") },
      { tick_id: 1, user_chunk: say("is dead."), agent_chunk: null },
      {
        tick_id: 2,
        agent_chunk: say("One "),
        user_tool_results: [{ role: "tool", id: "u", content: canary }],
      },
      { tick_id: 3, agent_chunk: say("moment."), user_chunk: { ...say("QUJD"), is_audio: true } },
      {
        tick_id: 4,
        agent_chunk: say(""),
        agent_tool_calls: [{ id: "a1", name: "lookup", arguments: {} }],
        agent_tool_results: [{ role: "tool", id: "a1", content: "a line" }],
      },
      "noise",
    ];
    const { trajectory, report } = await importedOne(importTau2, simulation({ messages: null, ticks }));
    expect(typesOf(trajectory)).toEqual(["respond", "lookup"]);
    expect(linesOf(trajectory.steps[1]!.stateAfter)).toEqual([
      "task: My phone is dead.",
      "answer/assistant: One moment.",
      "tool_call/lookup: {}",
      "evidence/lookup: a line",
    ]);
    expect(report.warningCounts).toMatchObject({ speech_merged: 1 });
  });

  it.each<[unknown, RegExp]>([
    [7, /must be a tau2 results file/],
    [{ simulations: 7 }, /field simulations: must be a list/],
    [results({ id: "x" }), /field simulations\[0\]: must be a simulation/],
    [{ task_id: 1 }, /must be a simulation with task_id and messages/],
  ])("refuses %# with its place", async (value, message) => {
    await expect(importedAll(importTau2(documents(value)))).rejects.toMatchObject({
      code: "invalid_record",
      message: expect.stringMatching(message),
    });
  });
});

const read = (file: string | undefined): unknown => JSON.parse(readFileSync(file!, "utf8"));
const real = sharedFile("data/traces/tau-bench-airline-3.json");

describe.skipIf(real === undefined)("the real tau-bench records", () => {
  it("come in with their outcomes, and with no answer key", async () => {
    const { trajectories, report } = await importedAll(importTauBench(documents(read(real))));
    expect(
      trajectories.map(({ trajectoryId, finalScore, steps }) => [trajectoryId, finalScore, steps.length]),
    ).toEqual([
      ["tau-bench/45/2", 0, 7],
      ["tau-bench/49/2", 1, 8],
      ["tau-bench/14/2", 0, 10],
    ]);
    // 4 tool results in each
    for (const trajectory of trajectories) {
      expect(typesOf(trajectory).filter((type) => type !== "respond")).toHaveLength(4);
      expect(breaksOf(trajectory)).toEqual([]);
    }
    const everything = JSON.stringify(trajectories);
    for (const hidden of [
      "gt_data_hash",
      "f124a86b2f2f",
      "You are Noah Muller",
      "r_actions",
      "send_certificate",
    ]) {
      expect(everything).not.toContain(hidden);
    }
    // One record requires no action at all.
    expect(report).toMatchObject({
      fidelity: { reconstructed: 3 },
      warningCounts: { gold_refused: 2, no_candidates: 3 },
    });
  });
});
