import type { OtelSpan } from "../../spans/otel-span.ts";
import type { ForeignTraceLog } from "../foreign-trace.ts";
import type { SpanReading } from "../span-reading.ts";
import { byStart, enclosing, isCall, preorder, type SpanNode } from "./span-node.ts";

export interface ReadSpan {
  readonly span: OtelSpan;
  readonly reading: SpanReading;
  readonly convention: string;
}

function keyOf(traceId: string, spanId: string): string {
  return `${traceId}:${spanId}`;
}

/**
 * The spans as trees, children in start order. A span whose parent is not here is a root; so is one
 * span of a circle of parents, which is told as `parent_cycle`. A span id that comes again is told as
 * `repeated_span_id`; the first keeps its children.
 */
export function spanTrees(spans: readonly ReadSpan[], log: ForeignTraceLog): SpanNode[] {
  const byId = new Map<string, SpanNode>();
  const nodes: SpanNode[] = [];
  for (const { span, reading, convention } of spans) {
    const node: SpanNode = {
      span,
      reading,
      convention,
      role: reading.role,
      parent: undefined,
      children: [],
      use: "plumbing",
      holdsCalls: false,
      doubles: [],
    };
    const key = keyOf(span.traceId, span.spanId);
    if (byId.has(key)) log.warn("repeated_span_id", `${span.spanId} occurs again in its trace`, span);
    else byId.set(key, node);
    nodes.push(node);
  }
  for (const node of nodes) {
    const { parentSpanId, traceId } = node.span;
    const parent = parentSpanId === undefined ? undefined : byId.get(keyOf(traceId, parentSpanId));
    if (parent !== node) node.parent = parent;
  }
  cutCircles(nodes, log);
  const roots: SpanNode[] = [];
  for (const node of nodes.toSorted(byStart)) (node.parent?.children ?? roots).push(node);
  promoteLoops(roots);
  markCalls(roots);
  return roots;
}

/** Walks up from each span once; a span met again on the same walk closes a circle. */
function cutCircles(nodes: readonly SpanNode[], log: ForeignTraceLog): void {
  const done = new Set<SpanNode>();
  for (const start of nodes) {
    const walk = new Set<SpanNode>();
    for (let node: SpanNode | undefined = start; node !== undefined && !done.has(node); node = node.parent) {
      if (walk.has(node)) {
        log.warn("parent_cycle", `${node.span.spanId} is its own ancestor; it is read as a root`, node.span);
        node.parent = undefined;
        break;
      }
      walk.add(node);
    }
    for (const node of walk) done.add(node);
  }
}

/**
 * A model call that holds several model calls which succeeded is the span of a whole loop: tracers that
 * know no runs write it so.
 */
function promoteLoops(roots: readonly SpanNode[]): void {
  const inside = new Map<SpanNode, number>();
  for (const node of preorder(roots)) {
    if (node.role !== "model" || node.reading.failed === true) continue;
    const outer = enclosing(node, (above) => isCall(above) || above.role === "run");
    if (outer?.role === "model") inside.set(outer, (inside.get(outer) ?? 0) + 1);
  }
  for (const [outer, count] of inside) if (count > 1) outer.role = "run";
}

function markCalls(roots: readonly SpanNode[]): void {
  for (const node of preorder(roots).toReversed()) {
    if (node.role === "evaluation") continue;
    node.holdsCalls = node.children.some((child) => child.holdsCalls || isCall(child));
  }
}
