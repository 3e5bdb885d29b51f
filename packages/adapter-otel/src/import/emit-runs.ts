import { decodeTrajectory, encodeTrajectory, type Trajectory } from "@agent-step-value/sdk";
import type { OtelLog, OtelSpan } from "../spans/otel-span.ts";
import { textAt } from "../spans/attribute-reading.ts";
import { TRAJECTORY } from "../asv-spans/attributes.ts";
import { unpackLog, unpackSpan } from "../spans/packed-span.ts";
import { foreignRuns } from "./foreign-run.ts";
import type { ImportSettings } from "./import-options.ts";
import type { ReportWriter } from "./report-writer.ts";
import { nativeRun } from "./native/native-run.ts";
import { recordGroups, type RecordGroup } from "./record-groups.ts";
import { RECORD, type RecordSpill, type SpillBucket } from "./record-spill.ts";
import type { StateStore } from "./state-store.ts";

interface EmitContext {
  readonly spill: RecordSpill;
  readonly store: StateStore;
  readonly writer: ReportWriter;
  readonly settings: ImportSettings;
}

/** The trajectories of all records, one group after the other. */
export function* emitRuns(context: EmitContext): Generator<Trajectory> {
  const ids = new Set<string>();
  for (const bucket of context.spill.buckets()) {
    for (const group of recordGroups(bucket)) {
      if (isTooLarge(group, context)) continue;
      for (const { trajectory, note } of runsOf(bucket, group, context)) {
        const valid = checked(trajectory, ids, context.writer);
        if (valid === undefined) continue;
        note?.();
        context.writer.recorded(valid.steps.length, group.native ? "recorded" : "reconstructed");
        yield valid;
      }
    }
  }
}

function isTooLarge(group: RecordGroup, { settings, writer }: EmitContext): boolean {
  if (group.bytes <= settings.runLimit) return false;
  writer.report.rejected++;
  const what = group.native ? "trajectory" : "trace";
  writer.warn(
    "too_large",
    `a ${what} has ${group.bytes} bytes of spans and the limit of one is ${settings.runLimit}; raise the run limit to read it`,
  );
  return true;
}

function* runsOf(
  bucket: SpillBucket,
  group: RecordGroup,
  { store, writer, settings }: EmitContext,
): Generator<{ trajectory: Trajectory; note?: () => void }> {
  if (group.besideNative && settings.convention === undefined) {
    writer.report.foreign.besideNative++;
    return;
  }
  // A group is told by a hash, so it may hold the spans of two.
  const spans = new Map<string, OtelSpan[]>();
  const logs = new Map<string, OtelLog[]>();
  for (const record of group.records) {
    const text = bucket.payload(record);
    if (record.kind === RECORD.log) {
      const log = unpackLog(text);
      push(logs, log.traceId, log);
    } else {
      const span = unpackSpan(text);
      push(spans, group.native ? textAt(span.attributes, TRAJECTORY.id)! : span.traceId, span);
    }
  }
  for (const [id, members] of [...spans].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (group.native) {
      const trajectory = nativeRun(id, members, store, writer);
      if (trajectory !== undefined) yield { trajectory };
    } else yield* foreignRuns(id, members, logs.get(id) ?? [], settings.convention, writer);
  }
}

function push<T>(lists: Map<string, T[]>, key: string, item: T): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [item]);
  else list.push(item);
}

/** A trajectory that can be written and read again; what cannot be is refused here and not by the next reader. */
function checked(trajectory: Trajectory, ids: Set<string>, writer: ReportWriter): Trajectory | undefined {
  const place = { source: "<otlp>", line: 0 };
  try {
    const valid = decodeTrajectory(encodeTrajectory(trajectory), place);
    if (ids.has(valid.trajectoryId)) {
      writer.report.rejected++;
      writer.warn("repeated_id", "two different runs have the same trajectory id; the first one counts");
      return undefined;
    }
    ids.add(valid.trajectoryId);
    return valid;
  } catch (error) {
    writer.report.rejected++;
    const reason = error instanceof Error ? error.message : "no valid record";
    writer.warn("rejected", `a trajectory was left out: ${reason}`);
    return undefined;
  }
}
