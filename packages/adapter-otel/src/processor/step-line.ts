import {
  encodeLiveRecord,
  PROJECTION_VERSION,
  type RedactionSummary,
  type StepRecord,
} from "@agent-step-value/sdk";
import { STEP } from "../asv-spans/attributes.ts";
import type { ForeignPolicies, ForeignStates } from "./foreign-states.ts";
import type { LiveRun, WrittenState } from "./live-run.ts";
import { elapsedMs, isOwnSpan, type ProcessedSpan } from "./processed-span.ts";
import {
  declaredAfter,
  declaredBefore,
  digestOf,
  readForeignState,
  readOwnState,
  type DeclaredState,
  type StateReading,
} from "./state-text.ts";
import { cleanId, declaredText, stepExtra } from "./step-extra.ts";

/** A finished step as it goes into the file. */
export interface StepLine {
  /** Pieces of the line, its line feed the last. */
  readonly pieces: readonly string[];
  readonly index: number;
  /** It had no index of its own that could be used. */
  readonly reassigned: boolean;
  /** Some state text was cut or changed on the way. */
  readonly damaged: boolean;
  /** Of some state the span gave only the digest. */
  readonly withoutText: boolean;
  /** The after-state, where the line has it. */
  readonly after: WrittenState | undefined;
}

/** The two states of a step, and how the first stands to the step before. */
interface ReadStates {
  readonly before: StateReading;
  readonly after: StateReading;
  /** The before-state is the after-state of the step with the previous index, which stands in the file. */
  readonly chained: boolean;
}

const ACTION_LIMIT = 200;

/**
 * A step span as the line of a live record. State texts are spliced in as the canonical JSON they are:
 * parsing and writing them again would cost several times the rest of the line.
 *
 * @param policies project what another writer than the SDK's recorder wrote
 */
export function stepLine(run: LiveRun, span: ProcessedSpan, policies: ForeignPolicies): StepLine {
  const foreign = isOwnSpan(span) ? undefined : run.foreign(policies);
  const { index, reassigned } = run.takeIndex(span.attributes[STEP.index]);
  const declared = { before: declaredBefore(span), after: declaredAfter(span) };
  const states = readStates(run, index, span, declared, foreign);
  const { before, after, chained } = states;
  const extra = stepExtra(run, span, foreign, policies);
  declaredText(extra, span, declared, states);
  if (reassigned) extra["index_reassigned"] = true;
  const record = stepRecord(run, index, span, states, foreign);
  // Not of a before-state without its text: that sends a reader to the step before, where another may stand.
  if (before.kind === "text") record.beforeSha256 = before.sha256;
  const afterSha256 = after.kind === "text" ? after.sha256 : digestOf(declared.after.sha256);
  if (afterSha256 !== undefined) record.afterSha256 = afterSha256;
  // What a record has beyond its schema stands on the wire as it is; through the codec it takes longer than all else.
  const pieces = [
    JSON.stringify(encodeLiveRecord(record)).slice(0, -1),
    ",",
    JSON.stringify(extra).slice(1, -1),
  ];
  if (before.kind === "text" && !chained) pieces.push(',"state_before":', before.text);
  if (after.kind === "text") pieces.push(',"state_after":', after.text);
  pieces.push("}\n");
  return {
    pieces,
    index,
    reassigned,
    damaged: before.kind === "damaged" || after.kind === "damaged",
    withoutText: before.kind === "digest" || after.kind === "digest",
    after: after.kind === "text" ? { declared: declared.after.sha256, sha256: after.sha256 } : undefined,
  };
}

/** The fields of the record's schema, without the states. */
function stepRecord(
  run: LiveRun,
  index: number,
  span: ProcessedSpan,
  states: ReadStates,
  foreign: ForeignStates | undefined,
): StepRecord {
  const { attributes } = span;
  const record: StepRecord = {
    record: "step",
    trajectoryId: run.id,
    step: {
      stepId: run.takeStepId(cleanId(attributes[STEP.id], foreign), index, span.spanContext().spanId),
      index,
      action: { type: actionType(attributes[STEP.action], foreign) },
      observation: {},
      cost: costOf(span),
      qualityFlags: {},
    },
  };
  if (isBroken(run, index, states)) record.step.discontinuity = true;
  if (foreign !== undefined) record.redaction = redactionOf(foreign, states);
  return record;
}

/** Reads both states; a before-state that stands in the file already is not read at all. */
function readStates(
  run: LiveRun,
  index: number,
  span: ProcessedSpan,
  declared: { before: DeclaredState; after: DeclaredState },
  foreign: ForeignStates | undefined,
): ReadStates {
  const incomplete = (span.droppedAttributesCount ?? 0) > 0;
  const read = (state: DeclaredState): StateReading =>
    foreign === undefined ? readOwnState(state, incomplete) : readForeignState(state, incomplete, foreign);
  const after = read(declared.after);
  const previous = run.afterOf(index - 1);
  if (previous?.declared !== undefined && previous.declared === declared.before.sha256) {
    return { before: { kind: "text", text: "", sha256: previous.sha256 }, after, chained: true };
  }
  const before = read(declared.before);
  const chained = previous !== undefined && before.kind === "text" && before.sha256 === previous.sha256;
  return { before, after, chained };
}

/** True where the actor changed something between the step before and this one, as far as that is known. */
function isBroken(run: LiveRun, index: number, { before, chained }: ReadStates): boolean {
  if (chained || before.kind !== "text" || index === 0) return false;
  return run.afterOf(index - 1) !== undefined || run.isPending(index - 1);
}

function actionType(given: unknown, foreign: ForeignStates | undefined): string {
  if (typeof given !== "string" || given === "") return "unknown";
  return (
    (foreign === undefined ? given.slice(0, ACTION_LIMIT) : foreign.text(given, ACTION_LIMIT)) || "unknown"
  );
}

function costOf({ startTime, endTime }: ProcessedSpan): { latency_ms?: number } {
  const latency = elapsedMs(startTime, endTime);
  return latency === undefined ? {} : { latency_ms: latency };
}

function redactionOf(foreign: ForeignStates, { before, after, chained }: ReadStates): RedactionSummary {
  const hits = new Map<string, number>();
  for (const state of chained ? [after] : [before, after]) {
    if (state.kind !== "text") continue;
    for (const [rule, times] of Object.entries(state.hits ?? {}))
      hits.set(rule, (hits.get(rule) ?? 0) + times);
  }
  return { policy: foreign.policyName, version: PROJECTION_VERSION, hits: Object.fromEntries(hits) };
}
