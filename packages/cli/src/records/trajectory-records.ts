import { hash } from "node:crypto";
import {
  encodeLiveRecord,
  encodeTrajectory,
  stateSha256,
  type JsonObject,
  type State,
  type Step,
  type Trajectory,
} from "@agent-step-value/sdk";

/** A whole trajectory is written on one line up to about this many characters of states. */
const MOST_ON_A_LINE = 64 * 1024 * 1024;

/**
 * A trajectory as lines of a file: one, or, where that would be too long to read back, live records, which keep
 * each state once.
 */
export function* trajectoryRecords(trajectory: Trajectory, most = MOST_ON_A_LINE): Generator<JsonObject> {
  if (stateSize(trajectory.steps) <= most) yield encodeTrajectory(trajectory);
  else yield* liveRecords(trajectory);
}

/** Characters of all states, before and after, as a whole line has them. */
function stateSize(steps: readonly Step[]): number {
  const sizes = new Map<State, number>();
  let size = 0;
  for (const { stateBefore, stateAfter } of steps) {
    for (const state of [stateBefore, stateAfter]) {
      if (state === undefined) continue;
      const known = sizes.get(state) ?? JSON.stringify(state).length;
      sizes.set(state, known);
      size += known;
    }
  }
  return size;
}

function* liveRecords(trajectory: Trajectory): Generator<JsonObject> {
  const { trajectoryId, sourceAdapter, createdAt, runId, metadata, task, extra, redaction } = trajectory;
  yield encodeLiveRecord({
    record: "open",
    trajectoryId,
    sourceAdapter,
    ...(createdAt !== undefined && { createdAt }),
    ...(runId !== undefined && { runId }),
    metadata,
    task,
    ...(extra !== undefined && { extra }),
  });
  let previous: State | undefined;
  for (const [i, step] of trajectory.steps.entries()) {
    const { stateBefore, stateAfter, ...rest } = step;
    const chained =
      stateBefore !== undefined && previous !== undefined && digest(stateBefore) === digest(previous);
    yield encodeLiveRecord({
      record: "step",
      trajectoryId,
      step: {
        ...rest,
        ...(stateBefore !== undefined && !chained && { stateBefore }),
        ...(stateAfter !== undefined && { stateAfter }),
      },
      ...(stateBefore !== undefined && { beforeSha256: digest(stateBefore) }),
      ...(stateAfter !== undefined && { afterSha256: digest(stateAfter) }),
      // Counts are kept for the run; readers add up what steps say.
      ...(i === 0 && redaction !== undefined && { redaction }),
    });
    previous = stateAfter;
  }
  const { status = "complete", finalScore, success } = trajectory;
  yield encodeLiveRecord({
    record: "close",
    trajectoryId,
    status,
    ...(finalScore !== undefined && { finalScore }),
    ...(success !== undefined && { success }),
  });
}

function digest(state: State): string {
  return stateSha256(state, (text) => hash("sha256", text));
}
