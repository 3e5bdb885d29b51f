import type { OtelSpan } from "../spans/otel-span.ts";
import { packSpan } from "../spans/packed-span.ts";

/**
 * Each span once: delivery is at least once, and rotated sets overlap. Equal ones fold; of differing ones the
 * one that ended later counts. Which of them came first makes no difference.
 */
export function foldDuplicates(
  spans: readonly OtelSpan[],
  counts: { folded: number; conflicts: number },
): OtelSpan[] {
  return foldBy(spans, ({ traceId, spanId }) => `${traceId}:${spanId}`, counts);
}

/** Of spans with the same key the one to keep; equal ones count as folded, differing ones as conflicts. */
export function foldBy(
  spans: readonly OtelSpan[],
  keyOf: (span: OtelSpan) => string,
  counts: { folded: number; conflicts: number },
): OtelSpan[] {
  const kept = new Map<string, OtelSpan>();
  for (const span of spans) {
    const key = keyOf(span);
    const earlier = kept.get(key);
    if (earlier === undefined) {
      kept.set(key, span);
      continue;
    }
    const [one, other] = [content(earlier), content(span)];
    if (one === other) counts.folded++;
    else counts.conflicts++;
    const first = Math.min(earlier.order, span.order);
    const later = isLater(span, earlier, other > one) ? span : earlier;
    kept.set(key, later.order === first ? later : { ...later, order: first });
  }
  return [...kept.values()];
}

function isLater(span: OtelSpan, earlier: OtelSpan, tie: boolean): boolean {
  const [end, before] = [span.endNanos ?? -1n, earlier.endNanos ?? -1n];
  return end === before ? tie : end > before;
}

/** What a span says, whatever the order of its attributes and whoever passed it on. */
function content(span: OtelSpan): string {
  const attributes = new Map([...span.attributes].sort(([a], [b]) => (a < b ? -1 : 1)));
  const bare: OtelSpan = {
    ...span,
    attributes,
    scope: { name: "" },
    resource: new Map(),
    order: 0,
    place: { source: "", line: 0 },
  };
  return packSpan(bare, () => true);
}
