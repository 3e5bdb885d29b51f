import type { ForeignTraceLog } from "../foreign-trace.ts";
import { isPlumbing } from "./plumbing.ts";
import { isCall, preorder, type SpanNode } from "./span-node.ts";

/** The spans of one run. */
export interface RunGroup {
  /** The outermost span of the run; absent where the trace has calls but no span round them. */
  readonly root: SpanNode | undefined;
  readonly traceId: string;
  /** Calls and units of work without a call inside, in start order. */
  readonly steps: SpanNode[];
}

/** Calls of one trace without a run's span round them. Where they name conversations, each is a run of its own. */
class LooseRuns {
  readonly #byTrace = new Map<string, { readonly bySession: Map<string, RunGroup>; last: RunGroup }>();

  /** The run of a call, and whether it is a new one. Calls come in start order. */
  of({ span: { traceId }, reading: { session } }: SpanNode): { group: RunGroup; isNew: boolean } {
    const known = this.#byTrace.get(traceId);
    // What names no conversation, tools often, belongs to the one that went on last.
    const going = session === undefined ? known?.last : known?.bySession.get(session);
    const nameless = known?.bySession.size === 0 ? known.last : undefined;
    const group = going ?? nameless ?? { root: undefined, traceId, steps: [] };
    const entry = known ?? { bySession: new Map<string, RunGroup>(), last: group };
    entry.last = group;
    if (session !== undefined) entry.bySession.set(session, group);
    this.#byTrace.set(traceId, entry);
    return { group, isNew: going === undefined && nameless === undefined };
  }
}

/** Whatever holds calls and is no call itself: a run, or a unit of work. */
function isRun(node: SpanNode): boolean {
  if (node.role === "run") return true;
  return node.role === "node" && node.holdsCalls;
}

/** A unit of work that recorded what it did and holds nothing that recorded it better. */
function isWork(node: SpanNode): boolean {
  if (node.role !== "node" || node.holdsCalls || isPlumbing(node)) return false;
  return node.reading.failed === true || node.reading.outcome?.() !== undefined;
}

/** A run of plain functions: work without a single call in it. */
function isPipeline(node: SpanNode): boolean {
  if (node.role !== "node" || isPlumbing(node)) return false;
  return (node.parent === undefined && isWork(node)) || node.children.some(isWork);
}

/** Everything under a verdict is refused: its prompt usually quotes the expected answer. */
function refuse(node: SpanNode, log: ForeignTraceLog): void {
  for (const below of preorder([node])) below.use = "refused";
  log.warn(
    "gold_refused",
    `${node.span.name} evaluates the run; it and what is under it are not read`,
    node.span,
  );
}

/**
 * Groups the spans of a trace into runs. A run is the outermost span that is an agent, a workflow or any
 * other unit of work that holds calls; runs inside it, sub-agents among them, are part of it. Calls
 * without such a span round them are one run a trace, or one a conversation where they name theirs.
 */
export function groupRuns(roots: readonly SpanNode[], log: ForeignTraceLog): RunGroup[] {
  const groups: RunGroup[] = [];
  const loose = new LooseRuns();
  const above = new Map<SpanNode, RunGroup>();
  const stack = roots.toReversed();
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (node.role === "evaluation") {
      refuse(node, log);
      continue;
    }
    let group = node.parent === undefined ? undefined : above.get(node.parent);
    if (group === undefined && (isRun(node) || isPipeline(node))) {
      group = { root: node, traceId: node.span.traceId, steps: [] };
      groups.push(group);
      node.use = "run";
    } else if (group === undefined && isCall(node)) {
      const found = loose.of(node);
      ({ group } = found);
      if (found.isNew) groups.push(group);
    }
    if (group !== undefined) {
      above.set(node, group);
      if (isCall(node) || (isWork(node) && node !== group.root)) group.steps.push(node);
      else if (node !== group.root) node.use = structureUse(node);
    }
    for (let i = node.children.length - 1; i >= 0; i -= 1) stack.push(node.children[i]!);
  }
  return groups;
}

/** Structure inside a run: sub-agents are its runs too, what holds calls is folded into them. */
function structureUse(node: SpanNode): SpanNode["use"] {
  if (node.role === "run") return "run";
  return node.role === "node" && node.holdsCalls && !isPlumbing(node) ? "folded" : "plumbing";
}
