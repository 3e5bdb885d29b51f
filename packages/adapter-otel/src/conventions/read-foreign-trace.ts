import type { OtelLog, OtelSpan } from "../spans/otel-span.ts";
import { groupRuns } from "./assembly/group-runs.ts";
import { preorder } from "./assembly/span-node.ts";
import { spanTrees, type ReadSpan } from "./assembly/span-tree.ts";
import { writeTrajectory } from "./assembly/write-trajectory.ts";
import { conventionsFor } from "./convention-table.ts";
import type { ForeignTraceLog, ForeignTraceOptions, ForeignTrajectory } from "./foreign-trace.ts";
import { refuseGold } from "./refused-attributes.ts";
import type { Convention, SpanReading } from "./span-reading.ts";
import { present } from "./span-values.ts";

function logsBySpan(logs: readonly OtelLog[]): Map<string, OtelLog[]> {
  const bySpan = new Map<string, OtelLog[]>();
  for (const record of logs) {
    if (record.spanId === undefined || record.traceId === undefined) continue;
    const key = `${record.traceId}:${record.spanId}`;
    const list = bySpan.get(key);
    if (list === undefined) bySpan.set(key, [record]);
    else list.push(record);
  }
  return bySpan;
}

const NOBODY = "none";

/** A value that nests deeper than the stack costs itself and not the trace. */
function safely<T>(read: (() => T | undefined) | undefined): (() => T | undefined) | undefined {
  if (read === undefined) return undefined;
  return () => {
    try {
      return read();
    } catch {
      return undefined;
    }
  };
}

/** The reading with what it reads later made safe. */
function guarded(reading: SpanReading): SpanReading {
  const { outcome, question, asTool } = reading;
  return present<SpanReading>({
    ...reading,
    outcome: safely(outcome),
    question: safely(question),
    asTool: safely(asTool),
  });
}

/** One span by the first convention that owns it; plumbing where none does. */
function readSpan(
  span: OtelSpan,
  logs: readonly OtelLog[],
  conventions: readonly Convention[],
  log: ForeignTraceLog,
): ReadSpan {
  const nothing = { role: "plumbing", name: span.name } as const;
  const owner = conventions.find((convention) => convention.owns(span));
  if (owner === undefined) return { span, reading: nothing, convention: NOBODY };
  try {
    return { span, reading: guarded(owner.read(span, logs)), convention: owner.name };
  } catch {
    // A value that nests deeper than the stack; nothing else can throw here.
    log.warn("unreadable", `${span.name} holds a value that cannot be read`, span);
    return { span, reading: nothing, convention: owner.name };
  }
}

/**
 * Trajectories of spans that another instrumentation wrote: each span is classified and read by the
 * convention that owns it, and the runs of the trace are put together from them (docs/conventions.md).
 *
 * States are rebuilt: a step's before-state is the transcript up to its call, its after-state the same
 * with what the call brought. They are projected and redacted in one session a run. A run whose content
 * was not captured is refused by name. Verdicts, scores and expected answers are never read.
 *
 * Never throws for what the trace holds: what is missing, folded or refused goes to `log`, and each span
 * is told to `log.used` once. O(n log n) in spans, linear in their text.
 *
 * @param spans those of one trace or of several, in any order, without `asv.*` spans
 * @param logs log records of the same traces
 * @throws InvalidArgumentError for a convention that is none
 */
export function readForeignTrace(
  spans: readonly OtelSpan[],
  logs: readonly OtelLog[],
  options: ForeignTraceOptions,
  log: ForeignTraceLog,
): ForeignTrajectory[] {
  const conventions = conventionsFor(options.convention);
  refuseGold(spans, logs, log);
  const bySpan = logsBySpan(logs);
  const read = spans.map((span) =>
    readSpan(span, bySpan.get(`${span.traceId}:${span.spanId}`) ?? [], conventions, log),
  );
  const roots = spanTrees(read, log);
  const trajectories = groupRuns(roots, log)
    .map((group) => writeTrajectory(group, log))
    .filter((trajectory) => trajectory !== undefined);
  for (const { span, convention, use } of preorder(roots)) log.used(span, convention, use);
  return trajectories;
}
