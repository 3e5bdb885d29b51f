import type { JsonObject } from "@agent-step-value/sdk";
import { STATE, STEP } from "../asv-spans/attributes.ts";
import type { ForeignPolicies, ForeignStates } from "./foreign-states.ts";
import type { LiveRun } from "./live-run.ts";
import { STATUS_ERROR, type ProcessedSpan } from "./processed-span.ts";
import { digestOf, type DeclaredState, type StateReading } from "./state-text.ts";

const STATUSES: readonly unknown[] = ["ok", "error", "cancelled", "interrupted"];
const ERROR_LIMIT = 2000;
const ID_LIMIT = 256;

/** What a live step record says beside the fields of a step, as the SDK's own file has it, and the place of its span. */
export function stepExtra(
  run: LiveRun,
  span: ProcessedSpan,
  foreign: ForeignStates | undefined,
  policies: ForeignPolicies,
): JsonObject {
  const { attributes, status } = span;
  const given = attributes[STEP.status];
  const failed = status.code === STATUS_ERROR;
  const extra: JsonObject = {
    status: STATUSES.includes(given) ? (given as string) : failed ? "error" : "ok",
    commit_index: run.takeCommit(attributes[STEP.commitIndex]),
  };
  const kind = word(attributes[STEP.kind]);
  if (kind !== undefined) extra["kind"] = kind;
  const fidelity = word(attributes[STATE.fidelity]);
  if (fidelity !== undefined) extra["fidelity"] = fidelity;
  const attempts = attributes[STEP.attempts];
  if (Number.isSafeInteger(attempts)) extra["attempts"] = attempts as number;
  if (failed && status.message !== undefined) {
    // Projected whoever began the span: code within a step may set the status of the span that is active.
    extra["error"] = errorOf(run.foreign(policies).text(status.message, ERROR_LIMIT));
  }
  if (attributes[STEP.concurrent] === true) extra["concurrent"] = true;
  if (attributes[STEP.late] === true || run.closed) extra["late"] = true;
  const parent = cleanId(attributes[STEP.parentId], foreign);
  if (parent !== undefined) extra["parent_step_id"] = parent;
  const { traceId, spanId } = span.spanContext();
  extra["trace_id"] = traceId;
  extra["span_id"] = spanId;
  return extra;
}

/** Says of the states whose text is not in the record what the span declared of them, and which were damaged. */
export function declaredText(
  extra: JsonObject,
  { attributes }: ProcessedSpan,
  declared: { before: DeclaredState; after: DeclaredState },
  read: { before: StateReading; after: StateReading },
): void {
  const absent: JsonObject = {};
  const damaged: string[] = [];
  for (const side of ["before", "after"] as const) {
    const { kind } = read[side];
    if (kind === "text" || kind === "none") continue;
    const { text, length } = declared[side];
    const sha256 = digestOf(declared[side].sha256);
    absent[`state_${side}`] = {
      ...(Number.isSafeInteger(length) && { length: length as number }),
      ...(sha256 !== undefined && { sha256 }),
      ...(typeof text === "string" && { found_length: text.length }),
    };
    if (kind === "damaged") damaged.push(`state_${side}`);
  }
  if (damaged.length > 0) extra["damaged"] = damaged;
  if (Object.keys(absent).length === 0) return;
  extra["declared"] = absent;
  const carrier = word(attributes[STATE.carrier]);
  if (carrier !== undefined) extra["carrier"] = carrier;
}

/** The recorder writes `Name: message`. */
function errorOf(text: string): JsonObject {
  const named = /^(\w{1,60}): ([^]*)$/.exec(text);
  return named === null ? { name: "Error", message: text } : { name: named[1]!, message: named[2]! };
}

/** An id that may stand in a record; undefined for what is none, or would be redacted. */
export function cleanId(id: unknown, foreign: ForeignStates | undefined): string | undefined {
  if (typeof id !== "string" || id === "" || id.length > ID_LIMIT) return undefined;
  return foreign === undefined || foreign.text(id, ID_LIMIT) === id ? id : undefined;
}

/** A short lower-case word, or undefined for anything else: it is not redacted, so it must not be able to hold a secret. */
function word(text: unknown): string | undefined {
  return typeof text === "string" && /^[a-z][a-z_-]{0,29}$/.test(text) ? text : undefined;
}
