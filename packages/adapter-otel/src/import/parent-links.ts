import type { OtelSpan } from "../spans/otel-span.ts";
import type { OtlpImportReport } from "./import-report.ts";

/**
 * The spans of one trace with every parent link leading to an end: a link that leads back to its own span
 * is cut at the span that began first, so that whoever follows parents comes to an end. Counts cycles and
 * parents that are not there.
 */
export function soundParents(
  spans: readonly OtelSpan[],
  counts: OtlpImportReport["references"],
): readonly OtelSpan[] {
  const byId = new Map(spans.map((span) => [span.spanId, span]));
  const cut = cycleStarts(byId);
  counts.cycles += cut.size;
  const absent = new Set<string>();
  let orphans = 0;
  let roots = 0;
  for (const { spanId, parentSpanId } of spans) {
    if (parentSpanId === undefined || cut.has(spanId)) roots++;
    else if (!byId.has(parentSpanId)) {
      orphans++;
      absent.add(parentSpanId);
    }
  }
  // A caller in another system is no loss: the trace then has no root of its own and one name for it.
  if (absent.size === 1 && roots === 0) counts.remote++;
  else counts.unresolved += orphans;
  if (cut.size === 0) return spans;
  return spans.map((span) => (cut.has(span.spanId) ? withoutParent(span) : span));
}

/** One span of each cycle: the one that began first. */
function cycleStarts(byId: ReadonlyMap<string, OtelSpan>): Set<string> {
  const cut = new Set<string>();
  /** By the walk that came by first. */
  const walked = new Map<string, number>();
  let walk = 0;
  for (const start of byId.values()) {
    walk++;
    let span: OtelSpan | undefined = start;
    while (span !== undefined && !walked.has(span.spanId)) {
      walked.set(span.spanId, walk);
      span = span.parentSpanId === undefined ? undefined : byId.get(span.parentSpanId);
    }
    if (span !== undefined && walked.get(span.spanId) === walk) cut.add(firstOfCycle(span, byId).spanId);
  }
  return cut;
}

function firstOfCycle(member: OtelSpan, byId: ReadonlyMap<string, OtelSpan>): OtelSpan {
  let first = member;
  for (let span = byId.get(member.parentSpanId!)!; span !== member; span = byId.get(span.parentSpanId!)!) {
    const isEarlier =
      span.startNanos < first.startNanos ||
      (span.startNanos === first.startNanos && span.spanId < first.spanId);
    if (isEarlier) first = span;
  }
  return first;
}

function withoutParent(span: OtelSpan): OtelSpan {
  const { parentSpanId: _, ...root } = span;
  return root;
}
