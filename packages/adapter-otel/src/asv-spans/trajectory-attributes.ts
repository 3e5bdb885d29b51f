import { isJsonObject, type JsonObject, type RedactionSummary, type Trajectory } from "@agent-step-value/sdk";
import type { AsvAttributes } from "./asv-span.ts";
import { ASV_SET_VERSION, TRAJECTORY } from "./attributes.ts";
import type { LeftOut } from "./left-out.ts";
import type { OutgoingFilter } from "./outgoing-filter.ts";

/** Longest question on the attribute, in UTF-16 units. */
const QUESTION_LIMIT = 4096;

/** Attributes of a stored trajectory's span: all of its line but states and what must not travel. */
export function trajectoryAttributes(
  trajectory: Trajectory,
  filter: OutgoingFilter,
  leftOut: LeftOut,
): AsvAttributes {
  countLeftOut(trajectory, leftOut);
  const { task, redaction, extra, status, createdAt, runId } = trajectory;
  const { frozenSha256 } = task.candidateSpace;
  const parentId = extra?.["parent_trajectory_id"];
  const question = filter.text(task.question);
  const whole = question.length <= QUESTION_LIMIT;
  const removed = Object.values(redaction?.hits ?? {}).reduce((sum, hits) => sum + hits, 0);
  const detail = filter.json({
    ...(hasKeys(trajectory.metadata) && { metadata: trajectory.metadata }),
    ...taskDetail(trajectory, whole ? undefined : question),
  });
  const unknown = extra === undefined ? undefined : extraDetail(extra, filter);
  if (hasKeys(unknown)) detail["extra"] = unknown;
  if (redaction !== undefined) detail["redaction"] = redactionDetail(redaction, filter);
  return {
    [TRAJECTORY.schemaVersion]: ASV_SET_VERSION,
    [TRAJECTORY.id]: trajectory.trajectoryId,
    [TRAJECTORY.sourceAdapter]: trajectory.sourceAdapter,
    ...(typeof parentId === "string" && { [TRAJECTORY.parentId]: parentId }),
    ...(runId !== undefined && { [TRAJECTORY.runId]: runId }),
    ...(createdAt !== undefined && { [TRAJECTORY.createdAt]: createdAt }),
    ...(status !== undefined && { [TRAJECTORY.status]: status }),
    [TRAJECTORY.stepCount]: trajectory.steps.length,
    [TRAJECTORY.taskId]: task.taskId,
    [TRAJECTORY.taskType]: task.taskType,
    ...(question !== "" && { [TRAJECTORY.question]: whole ? question : cut(question) }),
    ...(frozenSha256 !== undefined && { [TRAJECTORY.candidatesDigest]: frozenSha256 }),
    ...(redaction !== undefined && {
      [TRAJECTORY.redactionPolicy]: `${redaction.policy}/${redaction.version}`,
      ...(Number.isSafeInteger(removed) && { [TRAJECTORY.redactionCount]: removed }),
    }),
    [TRAJECTORY.detail]: JSON.stringify(detail),
  };
}

function countLeftOut(trajectory: Trajectory, leftOut: LeftOut): void {
  const { task, success, finalScore } = trajectory;
  const { candidates, goldCandidateId, review, labelSource, extra } = task.candidateSpace;
  if (goldCandidateId !== undefined) leftOut.add("gold");
  leftOut.add("candidates", candidates.length);
  if (review !== undefined) leftOut.add("candidate review");
  if (labelSource !== undefined || extra !== undefined) leftOut.add("candidate set notes");
  if (success !== undefined) leftOut.add("success");
  if (finalScore !== undefined) leftOut.add("final score");
  if (task.goldVisibleToEvaluator || !task.goldUsedOnlyForValidation) leftOut.add("gold policy");
}

function taskDetail({ task }: Trajectory, question: string | undefined): JsonObject {
  const { domain, difficulty, extra } = task;
  const detail: JsonObject = {
    ...(question !== undefined && { question }),
    ...(domain !== undefined && { domain }),
    ...(difficulty !== undefined && { difficulty }),
    ...(hasKeys(extra) && { extra }),
  };
  return hasKeys(detail) ? { task: detail } : {};
}

/** Names of redaction rules are counted there, and some read like names of secrets: kept as they are. */
function extraDetail({ redaction, ...rest }: JsonObject, filter: OutgoingFilter): JsonObject {
  const clean = filter.json(rest);
  if (redaction === undefined) return clean;
  const kept = isSummary(redaction) ? redaction : filter.json({ redaction })["redaction"];
  return kept === undefined ? clean : { ...clean, redaction: kept };
}

function isSummary(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  const { policy, version, hits, ...more } = value;
  const counts = isJsonObject(hits) ? Object.values(hits) : [""];
  return (
    typeof policy === "string" &&
    typeof version === "string" &&
    counts.every((count) => typeof count === "number") &&
    Object.keys(more).length === 0
  );
}

function redactionDetail(
  { policy, version, hits, extra }: RedactionSummary,
  filter: OutgoingFilter,
): JsonObject {
  return { ...filter.json(extra ?? {}), policy, version, hits };
}

/** The beginning, without half of a surrogate pair. */
function cut(text: string): string {
  const last = text.charCodeAt(QUESTION_LIMIT - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? QUESTION_LIMIT - 1 : QUESTION_LIMIT);
}

function hasKeys(object: JsonObject | undefined): object is JsonObject {
  return object !== undefined && Object.keys(object).length > 0;
}
