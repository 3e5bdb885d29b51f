import type { JsonObject, RedactionSummary, Step, Task, Trajectory } from "@agent-step-value/sdk";
import { TRAJECTORY } from "../../asv-spans/attributes.ts";
import { countAt, digestAt, objectAt, objectIn, textAt } from "../../spans/attribute-reading.ts";
import type { Attributes, OtelSpan } from "../../spans/otel-span.ts";

/** The spans of a run's openings: one, or one more for each time it went on after an interrupt. */
export interface TrajectorySpans {
  readonly id: string;
  /** In order of their start; none where they did not arrive. */
  readonly openings: readonly OtelSpan[];
  readonly clean: (detail: JsonObject) => JsonObject;
  readonly onDamagedDetail: () => void;
}

/** How many steps the run's writer says it had; undefined where it does not say. */
export function declaredSteps(openings: readonly OtelSpan[]): number | undefined {
  const counts = openings.map(({ attributes }) => countAt(attributes, TRAJECTORY.stepCount) ?? -1);
  const most = Math.max(-1, ...counts);
  return most < 0 ? undefined : most;
}

/**
 * Steps that did not arrive: by the number its writer says it had, else by what is left out in the steps' own
 * counting.
 */
export function missingSteps(openings: readonly OtelSpan[], steps: readonly Step[]): number {
  const declared = declaredSteps(openings);
  if (declared !== undefined) return Math.max(0, declared - steps.length);
  const counted = new Set(steps.map(({ index }) => index));
  let [first, last] = [Infinity, -Infinity];
  for (const index of counted) {
    first = Math.min(first, index);
    last = Math.max(last, index);
  }
  return counted.size === 0 ? 0 : last - first + 1 - counted.size;
}

/**
 * A trajectory of its spans and steps. Only named fields are read: whatever else a writer put there, a target
 * above all, stays there.
 */
export function nativeTrajectory(
  { id, openings, clean, onDamagedDetail }: TrajectorySpans,
  steps: Step[],
): Trajectory {
  const attributes: Attributes = new Map(openings.flatMap((span) => [...span.attributes]));
  const given = objectAt(attributes, TRAJECTORY.detail);
  if (given === "damaged") onDamagedDetail();
  const detail = given === "damaged" || given === undefined ? undefined : given;
  const safe = detail === undefined ? {} : clean({ ...detail, redaction: {} });
  const createdAt = textAt(attributes, TRAJECTORY.createdAt) ?? (detail ? undefined : isoTime(openings[0]));
  const runId = textAt(attributes, TRAJECTORY.runId);
  const redaction = redactionOf(attributes, detail);
  const status = statusOf(openings, attributes, detail !== undefined);
  const missing = missingSteps(openings, steps);
  const candidates = digestAt(attributes, TRAJECTORY.candidatesDigest);
  const isCut = missing > 0 && status !== undefined && !status.startsWith("partial");
  const extra = {
    ...objectIn(safe, "extra"),
    ...(detail === undefined && liveExtra(attributes, openings)),
    ...(candidates !== undefined && { candidates_sha256: candidates }),
    ...(missing > 0 && { missing_steps: missing }),
    ...(isCut && { declared_status: status }),
  };
  return {
    schemaVersion: "asv.v1",
    trajectoryId: id,
    sourceAdapter: textAt(attributes, TRAJECTORY.sourceAdapter) ?? "otel",
    ...(createdAt !== undefined && { createdAt }),
    ...(runId !== undefined && { runId }),
    metadata: objectIn(safe, "metadata"),
    task: taskOf(id, attributes, objectIn(safe, "task"), clean),
    steps,
    ...(status !== undefined && { status: isCut ? "partial" : status }),
    ...(redaction !== undefined && { redaction }),
    ...(Object.keys(extra).length > 0 && { extra }),
  };
}

function taskOf(
  id: string,
  attributes: Attributes,
  detail: JsonObject,
  clean: TrajectorySpans["clean"],
): Task {
  const { question, domain, difficulty } = detail;
  const extra = objectIn(detail, "extra");
  const asked = typeof question === "string" ? question : (textAt(attributes, TRAJECTORY.question) ?? "");
  const safe = clean({ question: asked })["question"];
  return {
    taskId: textAt(attributes, TRAJECTORY.taskId) ?? id,
    question: typeof safe === "string" ? safe : "",
    taskType: textAt(attributes, TRAJECTORY.taskType) ?? "open_qa_candidate_set",
    ...(typeof domain === "string" && { domain }),
    ...(typeof difficulty === "string" && { difficulty }),
    goldVisibleToEvaluator: false,
    goldUsedOnlyForValidation: true,
    candidateSpace: { type: "candidate_set", candidates: [] },
    ...(Object.keys(extra).length > 0 && { extra }),
  };
}

/** In an export of a whole trajectory a status that is not there was not there. */
function statusOf(
  openings: readonly OtelSpan[],
  attributes: Attributes,
  isWhole: boolean,
): string | undefined {
  const last = openings.at(-1);
  if (last === undefined) return "partial";
  const given = textAt(attributes, TRAJECTORY.status);
  if (given !== undefined || isWhole) return given;
  return last.status.code === "error" ? "error" : "complete";
}

function redactionOf(attributes: Attributes, detail: JsonObject | undefined): RedactionSummary | undefined {
  const { policy, version, hits, ...more } = objectIn(detail ?? {}, "redaction");
  if (typeof policy === "string" && typeof version === "string") {
    const counts = objectIn({ hits: hits ?? {} }, "hits");
    const numbers = Object.entries(counts).filter(
      (entry): entry is [string, number] => typeof entry[1] === "number",
    );
    return {
      policy,
      version,
      hits: Object.fromEntries(numbers),
      ...(Object.keys(more).length > 0 && { extra: more }),
    };
  }
  const named = textAt(attributes, TRAJECTORY.redactionPolicy);
  const slash = named?.lastIndexOf("/") ?? -1;
  if (named === undefined || slash < 1) return undefined;
  const count = countAt(attributes, TRAJECTORY.redactionCount);
  return {
    policy: named.slice(0, slash),
    version: named.slice(slash + 1),
    hits: {},
    // The live span counts them over all rules.
    ...(count !== undefined && count > 0 && { extra: { count } }),
  };
}

function liveExtra(attributes: Attributes, openings: readonly OtelSpan[]): JsonObject {
  const [first] = openings;
  const stepCount = declaredSteps(openings);
  const parentId = textAt(attributes, TRAJECTORY.parentId);
  return {
    ...(parentId !== undefined && { parent_trajectory_id: parentId }),
    ...(stepCount !== undefined && { step_count: stepCount }),
    ...(first !== undefined && { trace_id: first.traceId, span_id: first.spanId }),
  };
}

function isoTime(span: OtelSpan | undefined): string | undefined {
  if (span === undefined || span.startNanos === 0n) return undefined;
  const date = new Date(Number(span.startNanos / 1_000_000n));
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
