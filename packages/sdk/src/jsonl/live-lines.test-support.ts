import { digestOf, type JsonObject } from "../schema/index.ts";

/** The states of a run with n steps: n + 1 of them. */
export function statesOf(id: string, steps: number): JsonObject[] {
  return Array.from({ length: steps + 1 }, (_, i) => ({ notes: `${id} knows ${i} things`, count: i }));
}

/** A whole `asv.v1` trajectory with chained states, as an object of the wire form. */
export function wholeTrajectory(id: string, steps: number): JsonObject {
  const states = statesOf(id, steps);
  return {
    schema_version: "asv.v1",
    trajectory_id: id,
    task: taskOf(id),
    steps: states.slice(1).map((after, i) => ({
      step_id: `${id}-s${i}`,
      index: i,
      action: { type: "think" },
      state_before: states[i]!,
      state_after: after,
    })),
  };
}

function taskOf(id: string): JsonObject {
  return { question: `q ${id}`, candidate_space: { candidates: [{ id: "c1" }, { id: "c2" }] } };
}

/**
 * The same run as live records: open, steps, close. Only the first step has its before-state; the
 * others rest on the after-state before them.
 */
export function liveRecords(id: string, steps: number): JsonObject[] {
  const states = statesOf(id, steps);
  const envelope = { schema_version: "asv.v1" };
  const open = { ...envelope, record: "open", trajectory_id: id, source_adapter: "test", task: taskOf(id) };
  const stepLines = states.slice(1).map((after, i): JsonObject => ({
    ...envelope,
    record: "step",
    trajectory_id: id,
    step_id: `${id}-s${i}`,
    index: i,
    action: { type: "think" },
    ...(i === 0 && { state_before: states[0]! }),
    state_after: after,
    before_sha256: digestOf(states[i]!),
    after_sha256: digestOf(after),
  }));
  return [open, ...stepLines, { ...envelope, record: "close", trajectory_id: id, status: "done" }];
}

/** Records as JSONL. */
export function linesOf(...records: JsonObject[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join("");
}
