import {
  TRAJECTORY_SCHEMA,
  type CloseRecord,
  type OpenRecord,
  type RedactionSummary,
  type StepRecord,
  type Trajectory,
} from "../schema/index.ts";
import { chainSteps } from "./chain-steps.ts";
import type { Placed } from "./placed.ts";

/**
 * Puts a trajectory together from its live records. Without `close` its status is `partial`.
 *
 * @param steps in order of their index
 * @throws what {@link chainSteps} throws
 */
export function assembleTrajectory(
  open: OpenRecord,
  steps: readonly Placed<StepRecord>[],
  close: CloseRecord | undefined,
): Trajectory {
  const redaction = mergeRedaction(steps.map(({ record }) => record.redaction));
  const extra = { ...open.extra, ...close?.extra };
  return {
    schemaVersion: TRAJECTORY_SCHEMA,
    trajectoryId: open.trajectoryId,
    sourceAdapter: open.sourceAdapter,
    ...(open.createdAt !== undefined && { createdAt: open.createdAt }),
    ...(open.runId !== undefined && { runId: open.runId }),
    metadata: open.metadata,
    ...(close?.finalScore !== undefined && { finalScore: close.finalScore }),
    ...(close?.success !== undefined && { success: close.success }),
    task: open.task,
    steps: chainSteps(steps),
    status: close?.status ?? "partial",
    ...(redaction !== undefined && { redaction }),
    ...(Object.keys(extra).length > 0 && { extra }),
  };
}

/** Adds up the hits of all steps. Where steps had different policies, the summary says `mixed`. */
function mergeRedaction(parts: readonly (RedactionSummary | undefined)[]): RedactionSummary | undefined {
  const hits = new Map<string, number>();
  let sum: RedactionSummary | undefined;
  for (const part of parts) {
    if (part === undefined) continue;
    sum ??= { policy: part.policy, version: part.version, hits: {} };
    if (part.policy !== sum.policy || part.version !== sum.version) sum.policy = sum.version = "mixed";
    for (const [rule, count] of Object.entries(part.hits)) hits.set(rule, (hits.get(rule) ?? 0) + count);
  }
  if (sum !== undefined) sum.hits = Object.fromEntries(hits);
  return sum;
}
