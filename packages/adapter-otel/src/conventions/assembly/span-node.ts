import type { OtelSpan } from "../../spans/otel-span.ts";
import type { SpanReading, SpanRole } from "../span-reading.ts";

/** How a span was used, as the import report counts it. */
export type SpanUse = "run" | "step" | "folded" | "plumbing" | "refused";

/** One span in the tree of its trace, with what its convention read. */
export interface SpanNode {
  readonly span: OtelSpan;
  readonly reading: SpanReading;
  readonly convention: string;
  /** As its convention read it, but for a model call that turns out to wrap a whole loop. */
  role: SpanRole;
  parent: SpanNode | undefined;
  children: SpanNode[];
  use: SpanUse;
  /** True where a model, tool or retrieval call is somewhere below. */
  holdsCalls: boolean;
  /** Spans that recorded the same call again; the call's content may stand in one of them. */
  doubles: SpanNode[];
}

/** Start time, then order of reading: what decides where nothing better does. */
export function byStart(a: SpanNode, b: SpanNode): number {
  if (a.span.startNanos !== b.span.startNanos) return a.span.startNanos < b.span.startNanos ? -1 : 1;
  return a.span.order - b.span.order;
}

/** True for the three kinds of call. */
export function isCall({ role }: SpanNode): boolean {
  return role === "model" || role === "tool" || role === "retrieval";
}

/** The nearest ancestor that is not structure. */
export function enclosing(node: SpanNode, accept: (above: SpanNode) => boolean): SpanNode | undefined {
  let above = node.parent;
  while (above !== undefined && !accept(above)) above = above.parent;
  return above;
}

export function isAbove(above: SpanNode, node: SpanNode): boolean {
  for (let at = node.parent; at !== undefined; at = at.parent) if (at === above) return true;
  return false;
}

/** All nodes below and including the given ones, parents before children. Without recursion: traces nest deep. */
export function preorder(roots: readonly SpanNode[]): SpanNode[] {
  const nodes: SpanNode[] = [];
  const stack = roots.toReversed();
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    nodes.push(node);
    for (let i = node.children.length - 1; i >= 0; i -= 1) stack.push(node.children[i]!);
  }
  return nodes;
}
