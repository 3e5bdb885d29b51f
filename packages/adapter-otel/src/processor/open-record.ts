import type { JsonObject, OpenRecord } from "@agent-step-value/sdk";
import { TRAJECTORY } from "../asv-spans/attributes.ts";
import type { ForeignPolicies } from "./foreign-states.ts";
import type { LiveRun } from "./live-run.ts";
import { cleanId } from "./step-extra.ts";
import { isOwnSpan, isoTime, type ProcessedSpan } from "./processed-span.ts";

/** Longest text of each kind that a record takes from a span. */
const LIMITS = { question: 4096, taskId: 256, word: 200 };

/**
 * The open record of a trajectory span. Only named attributes are read: whatever else a writer put on the
 * span, a target above all, stays there.
 *
 * @param policies redact what another writer than the SDK's recorder wrote
 */
export function openRecord(run: LiveRun, span: ProcessedSpan, policies: ForeignPolicies): OpenRecord {
  const { attributes } = span;
  const foreign = isOwnSpan(span) ? undefined : run.foreign(policies);
  const text = (name: string, limit: number): string | undefined => {
    const value = attributes[name];
    if (typeof value !== "string" || value === "") return undefined;
    return foreign === undefined ? value.slice(0, limit) : foreign.text(value, limit);
  };
  const extra: JsonObject = placeOf(span);
  const parentId = cleanId(attributes[TRAJECTORY.parentId], foreign);
  if (parentId !== undefined) extra["parent_trajectory_id"] = parentId;
  const candidates = attributes[TRAJECTORY.candidatesDigest];
  if (typeof candidates === "string" && /^[0-9a-f]{64}$/.test(candidates)) {
    extra["candidates_sha256"] = candidates;
  }
  const policy = attributes[TRAJECTORY.redactionPolicy];
  if (foreign === undefined && isShort(policy)) extra["redaction_policy"] = policy;
  return {
    ...emptyRecord(run, span, extra),
    sourceAdapter: text(TRAJECTORY.sourceAdapter, LIMITS.word) ?? "otel",
    task: task(
      text(TRAJECTORY.taskId, LIMITS.taskId) || run.id,
      text(TRAJECTORY.question, LIMITS.question) ?? "",
      text(TRAJECTORY.taskType, LIMITS.word),
    ),
  };
}

/**
 * The open record of a trajectory whose own span has not been seen: it was not sampled, or belongs to
 * another process. It holds nothing but the id, and says so.
 */
export function madeUpOpenRecord(run: LiveRun, step: ProcessedSpan): OpenRecord {
  const { traceId } = step.spanContext();
  return emptyRecord(run, step, { trace_id: traceId, synthetic: true });
}

function emptyRecord(run: LiveRun, span: ProcessedSpan, extra: JsonObject): OpenRecord {
  const createdAt = isoTime(span.startTime);
  if (run.id !== run.spanId) extra["given_trajectory_id"] = run.spanId;
  return {
    record: "open",
    trajectoryId: run.id,
    sourceAdapter: "otel",
    ...(createdAt !== undefined && { createdAt }),
    metadata: {},
    task: task(run.id, "", undefined),
    extra,
  };
}

function task(taskId: string, question: string, taskType: string | undefined): OpenRecord["task"] {
  return {
    taskId,
    question,
    taskType: taskType || "open_qa_candidate_set",
    goldVisibleToEvaluator: false,
    goldUsedOnlyForValidation: true,
    candidateSpace: { type: "candidate_set", candidates: [] },
  };
}

function placeOf(span: ProcessedSpan): JsonObject {
  const { traceId, spanId } = span.spanContext();
  return { trace_id: traceId, span_id: spanId };
}

function isShort(value: unknown): value is string {
  return typeof value === "string" && value !== "" && value.length <= LIMITS.taskId;
}
