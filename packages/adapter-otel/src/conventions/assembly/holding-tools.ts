import type { SpanNode } from "./span-node.ts";

/**
 * Tools during which a model was called: they ran an agent, whether or not their tracer says so by
 * parents. What such a tool gives is known only at its end. O(n log n).
 */
export function holdingTools(calls: readonly SpanNode[]): ReadonlySet<SpanNode> {
  const models = calls
    .filter(({ role, span }) => role === "model" && span.endNanos !== undefined)
    .toSorted((a, b) => (a.span.startNanos < b.span.startNanos ? -1 : 1));
  // The earliest end among the models from each place on.
  const ends: bigint[] = [];
  for (let i = models.length - 1; i >= 0; i -= 1) {
    const end = models[i]!.span.endNanos!;
    const later = ends[i + 1];
    ends[i] = later === undefined || end < later ? end : later;
  }
  const holding = new Set<SpanNode>();
  for (const node of calls) {
    const { startNanos, endNanos } = node.span;
    if (node.role !== "tool" || endNanos === undefined) continue;
    let low = 0;
    let high = models.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (models[middle]!.span.startNanos > startNanos) high = middle;
      else low = middle + 1;
    }
    if (low < models.length && ends[low]! < endNanos) holding.add(node);
  }
  return holding;
}
