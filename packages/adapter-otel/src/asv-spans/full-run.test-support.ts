import { decodeTrajectory, type Trajectory } from "@agent-step-value/sdk";
import type { AsvSpan, AsvStateLog } from "./asv-span.ts";
import { trajectoryTelemetry, type TrajectoryTelemetryOptions } from "./trajectory-telemetry.ts";

export const SECRET = `sk-proj-${"aB3dE5fG7hJ9kL1m".repeat(3)}`;

/** A run with everything a line can hold, what must not travel included. */
export function fullRun(): Trajectory {
  return decodeTrajectory(
    {
      schema_version: "asv.v1",
      trajectory_id: "run-1",
      source_adapter: "langchain",
      created_at: "2026-03-01T10:00:00.000Z",
      run_id: "r-9",
      metadata: { agent: "archive", trace_id: "kept" },
      final_score: 0.5,
      success: true,
      status: "complete",
      redaction: { policy: "default", version: "phi-1", hits: { "api-key": 2, bytes: 1 } },
      parent_trajectory_id: "run-0",
      task: {
        task_id: "t-1",
        question: "Which light does Skarn show?",
        task_type: "open_qa",
        domain: "lights",
        candidate_space: {
          type: "candidate_set",
          candidates: [
            { id: "cand-1", text: "A green light of Skarn" },
            { id: "cand-2", text: "A red light of Skarn" },
          ],
          gold_candidate_id: "cand-2",
          frozen_sha256: "a".repeat(64),
          review: { reviewer: "kb" },
        },
        note: "of the task",
      },
      steps: [
        {
          step_id: "s-1",
          index: 0,
          action: { type: "tool:search_notes", query: "Skarn" },
          observation: { text: "lamp-colours" },
          state_before: { notes: "none yet" },
          state_after: { notes: "green" },
          belief_before: { "cand-1": 0.5, "cand-2": 0.5 },
          raw_scores_after: { "cand-1": -1, "cand-2": -2 },
          cost: { latency_ms: 1500, prompt_tokens: 7 },
          label: "harmful",
          quality_flags: { used_floor_score: true },
          kind: "tool",
          status: "error",
          error: { name: "Error", message: "no such note" },
          commit_index: 0,
        },
        {
          step_id: "s-2",
          index: 1,
          action: { type: "model" },
          state_before: { notes: "green" },
          state_after: { notes: `green ${"x".repeat(50)}` },
          discontinuity: true,
        },
      ],
    },
    { source: "runs.jsonl", line: 1 },
  );
}

export function sent(trajectory: Trajectory, options: TrajectoryTelemetryOptions = {}) {
  const all = [...trajectoryTelemetry(trajectory, options)];
  const spans = all.filter((item): item is AsvSpan => item.kind === "span");
  return {
    spans,
    run: spans.find(({ name }) => name === "asv.trajectory")!,
    steps: spans.filter(({ name }) => name === "asv.step"),
    logs: all.filter((item): item is AsvStateLog => item.kind === "log"),
  };
}
