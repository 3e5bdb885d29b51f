import type { CloseRecord, JsonObject } from "@agent-step-value/sdk";
import { TRAJECTORY } from "../asv-spans/attributes.ts";
import type { LiveRun } from "./live-run.ts";
import { STATUS_ERROR, type ProcessedSpan } from "./processed-span.ts";

/** The close record of a run. `step_count` counts the steps in the file. */
export function closeRecord(run: LiveRun, status: string, span?: ProcessedSpan): CloseRecord {
  const extra: JsonObject = { step_count: run.written };
  if (run.openSteps > 0) extra["open_steps"] = run.openSteps;
  if (span !== undefined) {
    const missing = missingSteps(run, span);
    if (missing > 0) extra["missing_steps"] = missing;
    const removed = span.attributes[TRAJECTORY.redactionCount];
    if (Number.isSafeInteger(removed)) extra["redaction_count"] = removed as number;
  }
  return { record: "close", trajectoryId: run.id, status, extra };
}

/** The recorder's words for how a trajectory ended. Closed, as they are not redacted: no secret fits them. */
const STATUS =
  /^(?:complete|error|aborted|abandoned|interrupted|partial(?::(?:[a-z]{1,12}-?){1,2}|:SIG[A-Z]{1,8})?)$/;

/** How a trajectory ended, as its span says; its span's status where it says nothing. */
export function closeStatus({ attributes, status }: ProcessedSpan): string {
  const given = attributes[TRAJECTORY.status];
  if (typeof given === "string" && STATUS.test(given)) return given;
  return status.code === STATUS_ERROR ? "error" : "complete";
}

/** Steps that the trajectory's writer ended and that are not in the file. */
export function missingSteps(run: LiveRun, { attributes }: ProcessedSpan): number {
  const declared = attributes[TRAJECTORY.stepCount];
  return Number.isSafeInteger(declared) ? Math.max(0, (declared as number) - run.written) : 0;
}
