import type { JsonObject, JsonValue, Step } from "@agent-step-value/sdk";
import { STATE, STEP } from "../../asv-spans/attributes.ts";
import { countAt, objectAt, objectIn, textAt } from "../../spans/attribute-reading.ts";
import type { OtelSpan } from "../../spans/otel-span.ts";
import type { StateSide } from "./declared-state.ts";
import type { RunStates, StateFinding } from "./run-states.ts";

/** What a step is read with. */
export interface StepContext {
  readonly states: RunStates;
  /** The step before in order, where its index is the one before. */
  readonly previous: OtelSpan | undefined;
  readonly position: number;
  /** Takes out of another writer's JSON what must not travel. */
  readonly clean: (detail: JsonObject) => JsonObject;
  /** The same for what code inside a step can write even on the toolkit's own spans. */
  readonly cleanAny: (detail: JsonObject) => JsonObject;
  readonly onDamagedDetail: () => void;
}

const STATUSES: readonly unknown[] = ["ok", "error", "cancelled", "interrupted"];

/** A step of its span: as an export of a whole trajectory says it, else as live capture leaves it. */
export function nativeStep(span: OtelSpan, context: StepContext): Step {
  const { attributes } = span;
  const before = context.states.find(span, "before");
  const after = context.states.find(span, "after");
  const given = objectAt(attributes, STEP.detail);
  if (given === "damaged") context.onDamagedDetail();
  const isWhole = given !== undefined && given !== "damaged";
  const step = isWhole ? wholeStep(span, context.clean(given), context) : liveStep(span, context);
  const extra = { ...step.extra, ...lostStates(span, { before, after }) };
  return {
    ...step,
    ...(before.kind === "found" && { stateBefore: before.state }),
    ...(after.kind === "found" && { stateAfter: after.state }),
    ...(Object.keys(extra).length > 0 && { extra }),
  };
}

/** What the detail does not say was empty or absent in the stored step. */
function wholeStep({ attributes }: OtelSpan, detail: JsonObject, { position }: StepContext): Step {
  const { discontinuity, index } = detail;
  const extra = objectIn(detail, "extra");
  return {
    stepId: textAt(attributes, STEP.id)!,
    index: Number.isSafeInteger(index) ? (index as number) : (countAt(attributes, STEP.index) ?? position),
    action: objectIn(detail, "action"),
    observation: objectIn(detail, "observation"),
    cost: objectIn(detail, "cost"),
    qualityFlags: objectIn(detail, "quality_flags"),
    ...(typeof discontinuity === "boolean" && { discontinuity }),
    ...(Object.keys(extra).length > 0 && { extra }),
  };
}

function liveStep(span: OtelSpan, context: StepContext): Step {
  const { attributes, startNanos, endNanos } = span;
  const latency = endNanos === undefined ? -1n : endNanos - startNanos;
  return {
    stepId: textAt(attributes, STEP.id)!,
    index: countAt(attributes, STEP.index) ?? context.position,
    action: context.clean({ type: textAt(attributes, STEP.action) ?? "unknown" }),
    observation: {},
    cost: latency >= 0n ? { latency_ms: Number(latency) / 1e6 } : {},
    qualityFlags: {},
    ...(isDiscontinuous(span, context) && { discontinuity: true }),
    extra: context.clean(liveExtra(span, context)),
  };
}

/** As live capture decides it: both states are known and differ. */
function isDiscontinuous({ attributes }: OtelSpan, { previous }: StepContext): boolean {
  const before = attributes.get(STATE.beforeSha256);
  const after = previous?.attributes.get(STATE.afterSha256);
  return before !== undefined && after !== undefined && before !== after;
}

/** What live capture keeps beside a step, and where its span is. */
function liveExtra({ attributes, status, traceId, spanId }: OtelSpan, { cleanAny }: StepContext): JsonObject {
  const given = attributes.get(STEP.status);
  const failed = status.code === "error";
  const extra: JsonObject = {
    status: STATUSES.includes(given) ? (given as string) : failed ? "error" : "ok",
  };
  const held: [string, JsonValue | undefined][] = [
    ["commit_index", countAt(attributes, STEP.commitIndex)],
    ["kind", textAt(attributes, STEP.kind)],
    ["fidelity", textAt(attributes, STATE.fidelity)],
    ["attempts", countAt(attributes, STEP.attempts)],
    ["error", failed && status.message !== undefined ? cleanAny(errorOf(status.message)) : undefined],
    ["concurrent", attributes.get(STEP.concurrent) === true ? true : undefined],
    ["late", attributes.get(STEP.late) === true ? true : undefined],
    ["parent_step_id", textAt(attributes, STEP.parentId)],
    ["trace_id", traceId],
    ["span_id", spanId],
  ];
  for (const [key, value] of held) if (value !== undefined) extra[key] = value;
  return extra;
}

/** Capture writes `Name: message`. */
function errorOf(message: string): JsonObject {
  const named = /^(\w{1,60}): ([^]*)$/.exec(message);
  return named === null ? { name: "Error", message } : { name: named[1]!, message: named[2]! };
}

/** Says of states whose text is not there what was declared of them, under the names the span processor uses. */
function lostStates(span: OtelSpan, findings: Readonly<Record<StateSide, StateFinding>>): JsonObject {
  const declared: JsonObject = {};
  const damaged: string[] = [];
  for (const side of ["before", "after"] as const) {
    const finding = findings[side];
    if (finding.kind === "found" || finding.kind === "none") continue;
    const { text, sha256, length } = finding.declared;
    declared[`state_${side}`] = {
      ...(length !== undefined && { length }),
      ...(sha256 !== undefined && { sha256 }),
      ...(typeof text === "string" && { found_length: text.length }),
    };
    if (finding.kind !== "missing") damaged.push(`state_${side}`);
  }
  if (Object.keys(declared).length === 0) return {};
  const carrier = textAt(span.attributes, STATE.carrier);
  return {
    ...(damaged.length > 0 && { damaged }),
    declared,
    ...(carrier !== undefined && { carrier: carrier.slice(0, 30) }),
  };
}
