import type { FoundSecret } from "./find-secrets.ts";
import type { TextSpan } from "./rules/index.ts";

/**
 * Overlapping finds become one that covers them all, named by the most specific rule: two rules
 * that disagree about where a secret ends must not leave a piece of it between them.
 */
export function mergeSpans(found: readonly FoundSecret[]): FoundSecret[] {
  const sorted = [...found].sort((a, b) => a.start - b.start || b.end - a.end || a.rank - b.rank);
  const merged: FoundSecret[] = [];
  for (const span of sorted) {
    const last = merged.at(-1);
    if (last === undefined || span.start >= last.end) {
      merged.push(span);
      continue;
    }
    const named = span.rank < last.rank ? span : last;
    merged[merged.length - 1] = { ...named, start: last.start, end: Math.max(last.end, span.end) };
  }
  return merged;
}

/** The spans without the parts that `kept` covers; both sorted and free of overlaps. */
export function withoutSpans(spans: readonly FoundSecret[], kept: readonly TextSpan[]): FoundSecret[] {
  if (kept.length === 0) return [...spans];
  const rest: FoundSecret[] = [];
  let k = 0;
  for (const span of spans) {
    let start = span.start;
    while (k > 0 && (kept[k - 1]?.end ?? 0) > start) k -= 1;
    for (; k < kept.length; k += 1) {
      const hole = kept[k];
      if (hole === undefined || hole.start >= span.end) break;
      if (hole.end <= start) continue;
      if (hole.start > start) rest.push({ ...span, start, end: hole.start });
      start = Math.max(start, hole.end);
    }
    if (start < span.end) rest.push({ ...span, start });
  }
  return rest;
}
