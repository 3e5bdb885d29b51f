import type { ForeignTraceLog } from "../foreign-trace.ts";
import { normalText } from "../messages/normal-text.ts";
import { keyOf } from "./entry.ts";
import { enclosing, isAbove, isCall, type SpanNode } from "./span-node.ts";

function overlaps(a: SpanNode, b: SpanNode): boolean {
  const { startNanos: startA, endNanos: endA = startA } = a.span;
  const { startNanos: startB, endNanos: endB = startB } = b.span;
  return startA <= endB && startB <= endA;
}

function sameTool(outer: SpanNode, inner: SpanNode): boolean {
  const a = outer.reading;
  const b = inner.reading;
  if (a.callId !== undefined && a.callId === b.callId) return true;
  if (a.args === undefined || a.result === undefined || b.result === undefined) return false;
  return normalText(a.args) === normalText(b.args) && normalText(a.result) === normalText(b.result);
}

/** A retrieval inside a tool is how the tool works when the tool gives the same documents on. */
function givesOn(tool: SpanNode, retrieval: SpanNode): boolean {
  const { result } = tool.reading;
  const documents = retrieval.reading.outcome?.() ?? [];
  if (result === undefined || documents.length === 0) return false;
  return documents.every((piece) => piece.is === "field" && result.includes(piece.text.trim()));
}

/**
 * Folds spans that recorded one call twice: a tool call with the same id, or nested with equal input and
 * output; a model call nested in a model call, where several instrumentations are at work. The outer span
 * stays, the inner ones keep their content for it. Told as `double_recorded`, a failed attempt inside a
 * call as `failed_attempt`.
 *
 * @param calls all calls of one run in start order
 * @returns the calls that are left
 */
export function foldDoubles(calls: readonly SpanNode[], log: ForeignTraceLog): SpanNode[] {
  const folded = new Set<SpanNode>();
  const fold = (inner: SpanNode, into: SpanNode, code = "double_recorded"): void => {
    folded.add(inner);
    inner.use = "folded";
    into.doubles.push(inner, ...inner.doubles);
    const why = code === "double_recorded" ? "records the same call" : "is a failed attempt of it";
    log.warn(code, `${inner.span.spanId} ${why} as ${into.span.spanId}`, inner.span);
  };
  foldModels(calls, fold);
  foldBeside(
    calls.filter((node) => !folded.has(node)),
    fold,
  );
  const byId = new Map<string, SpanNode>();
  for (const node of calls) {
    if (folded.has(node)) continue;
    const outer = enclosing(node, (above) => isCall(above) && !folded.has(above));
    if (outer?.role === "tool") {
      const { role } = node;
      if (role === "tool" && sameTool(outer, node)) fold(node, outer);
      else if (role === "retrieval" && givesOn(outer, node)) fold(node, outer);
    }
    const { callId, name } = node.reading;
    if (node.role !== "tool" || callId === undefined || folded.has(node)) continue;
    const other = byId.get(callId);
    // Some providers number calls anew each turn: only what ran at the same time is the same call.
    if (other !== undefined && overlaps(other, node) && !isAbove(other, node)) {
      const alike =
        other.reading.name === name || normalText(other.reading.args) === normalText(node.reading.args);
      if (alike) fold(node, other);
    }
    if (!folded.has(node)) byId.set(callId, node);
  }
  return calls.filter((node) => !folded.has(node));
}

/** Model calls that stand in a model call with no tool or agent between. */
function foldModels(
  calls: readonly SpanNode[],
  fold: (inner: SpanNode, into: SpanNode, code?: string) => void,
): void {
  const inside = new Map<SpanNode, SpanNode[]>();
  for (const node of calls) {
    if (node.role !== "model") continue;
    const outer = enclosing(node, (above) => isCall(above) || above.role === "run");
    if (outer?.role !== "model") continue;
    const list = inside.get(outer);
    if (list === undefined) inside.set(outer, [node]);
    else list.push(node);
  }
  // Innermost first, so that a chain of three folds into the outermost.
  for (const [outer, inner] of [...inside].toReversed()) {
    const good = inner.filter(({ reading }) => reading.failed !== true);
    const kept = good[0] ?? inner.at(-1)!;
    for (const node of inner) fold(node, outer, node === kept ? undefined : "failed_attempt");
  }
}

/** What a call gave, in one spelling; undefined where too little was recorded to tell two apart. */
function signature({ role, reading }: SpanNode): string | undefined {
  if (role === "model" && (reading.output?.length ?? 0) > 0) {
    return `model\0${reading.output!.map(keyOf).join("\0")}`;
  }
  const { args, result } = reading;
  if (role !== "tool" || args === undefined || result === undefined) return undefined;
  return `tool\0${normalText(args)}\0${normalText(result)}`;
}

/** Two instrumentations side by side: one call under two scopes, at the same time, with equal content. */
function foldBeside(calls: readonly SpanNode[], fold: (inner: SpanNode, into: SpanNode) => void): void {
  const seen = new Map<string, SpanNode>();
  for (const node of calls) {
    const key = signature(node);
    if (key === undefined) continue;
    const other = seen.get(key);
    const twice =
      other !== undefined && other.span.scope.name !== node.span.scope.name && overlaps(other, node);
    if (twice && !isAbove(other, node)) fold(node, other);
    else seen.set(key, node);
  }
}
