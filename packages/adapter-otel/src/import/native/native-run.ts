import type { JsonObject, Trajectory } from "@agent-step-value/sdk";
import { ASV_SET_VERSION, STEP, TRAJECTORY } from "../../asv-spans/attributes.ts";
import { LeftOut } from "../../asv-spans/left-out.ts";
import { OutgoingFilter } from "../../asv-spans/outgoing-filter.ts";
import { asvRole, isOwnScope } from "../../spans/asv-role.ts";
import { countAt, textAt } from "../../spans/attribute-reading.ts";
import type { OtelSpan } from "../../spans/otel-span.ts";
import { foldBy, foldDuplicates } from "../fold-duplicates.ts";
import type { ReportWriter } from "../report-writer.ts";
import type { StateStore } from "../state-store.ts";
import { nativeStep } from "./native-step.ts";
import { declaredSteps, missingSteps, nativeTrajectory } from "./native-trajectory.ts";
import { RunStates } from "./run-states.ts";

/**
 * The trajectory of one id's `asv.*` spans, in any order and with duplicates; undefined, and told, where a later
 * version of the set wrote it. Steps stand in the order of their own index, never of a clock.
 */
export function nativeRun(
  id: string,
  spans: readonly OtelSpan[],
  store: StateStore,
  writer: ReportWriter,
): Trajectory | undefined {
  const { report } = writer;
  const distinct = foldDuplicates(spans, report.duplicates);
  const openings = distinct.filter((span) => asvRole(span) === "trajectory").sort(byProgress);
  const later = openings.find(({ attributes }) => !isKnown(attributes.get(TRAJECTORY.schemaVersion)));
  if (later !== undefined) {
    report.native.unknownVersion++;
    const message = `a trajectory has another version of the asv.* set than ${ASV_SET_VERSION}; use the release that wrote it`;
    writer.warn("unknown_version", message, later.place);
    return undefined;
  }
  const found = distinct.filter((span) => asvRole(span) === "step");
  // One step, recorded by two processors or sent again under a new span id.
  const stepSpans = foldBy(found, ({ attributes }) => textAt(attributes, STEP.id)!, report.duplicates).sort(
    byIndex,
  );
  const own = distinct.every(({ scope }) => isOwnScope(scope));
  const states = new RunStates(stepSpans, store, report.states, own);
  const cleanAny = cleaner(writer);
  const context = {
    states,
    // What the toolkit wrote it has cleaned; anybody else's JSON may hold answers, outcomes, labels and secrets.
    clean: own ? (detail: JsonObject): JsonObject => detail : cleanAny,
    cleanAny,
    onDamagedDetail: () => report.native.damagedDetails++,
  };
  const steps = stepSpans.map((span, position) =>
    nativeStep(span, { ...context, position, previous: directlyBefore(stepSpans, position) }),
  );
  report.native.trajectories++;
  if (openings.length === 0) report.native.withoutSpan++;
  const missing = missingSteps(openings, steps);
  if (missing > 0) {
    report.native.incomplete++;
    report.native.missingSteps += missing;
  }
  if (states.redacted > 0) {
    writer.warn(
      "redacted",
      `${states.redacted} states held what an evaluator must not see; it was taken out`,
    );
  }
  return nativeTrajectory({ id, openings, ...context }, steps);
}

function isKnown(version: unknown): boolean {
  return version === undefined || version === ASV_SET_VERSION;
}

/** Openings by how far the run had come; two within a millisecond have one start. */
function byProgress(a: OtelSpan, b: OtelSpan): number {
  const steps = (declaredSteps([a]) ?? -1) - (declaredSteps([b]) ?? -1);
  if (steps !== 0) return steps;
  const interrupted = ({ attributes }: OtelSpan): number =>
    attributes.get(TRAJECTORY.status) === "interrupted" ? 0 : 1;
  return interrupted(a) - interrupted(b) || byStart(a, b);
}

function byStart(a: OtelSpan, b: OtelSpan): number {
  if (a.startNanos !== b.startNanos) return a.startNanos < b.startNanos ? -1 : 1;
  return a.spanId < b.spanId ? -1 : 1;
}

/** By their own counter; where two have the same or none, by the order of their ends, and only then by time. */
function byIndex(a: OtelSpan, b: OtelSpan): number {
  const at = ({ attributes }: OtelSpan, name: string): number => countAt(attributes, name) ?? Infinity;
  for (const name of [STEP.index, STEP.commitIndex]) {
    const [left, right] = [at(a, name), at(b, name)];
    if (left !== right) return left < right ? -1 : 1;
  }
  return byStart(a, b);
}

/** The step before, where none is missing between. */
function directlyBefore(steps: readonly OtelSpan[], position: number): OtelSpan | undefined {
  const previous = steps[position - 1];
  const index = countAt(steps[position]!.attributes, STEP.index);
  const before = previous && countAt(previous.attributes, STEP.index);
  return index !== undefined && before === index - 1 ? previous : undefined;
}

/** Takes out what must not be in a record, by the rules of every projection, and tells which rules fired. */
function cleaner(writer: ReportWriter): (detail: JsonObject) => JsonObject {
  const leftOut = new LeftOut();
  let filter: OutgoingFilter | undefined;
  return (detail) => {
    filter ??= new OutgoingFilter(leftOut);
    const before = leftOut.counts.size;
    const clean = filter.json(detail);
    if (leftOut.counts.size > before) {
      writer.warn("refused", `left out of a span's attributes: ${[...leftOut.counts.keys()].join(", ")}`);
    }
    return clean;
  };
}
