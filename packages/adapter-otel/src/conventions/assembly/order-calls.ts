import type { CallContent } from "./call-content.ts";
import { holdingTools } from "./holding-tools.ts";
import { byStart, type SpanNode } from "./span-node.ts";

/** Smallest-first queue: among the calls that may come next, the one that started first. */
class StartQueue {
  readonly #heap: number[] = [];

  push(rank: number): void {
    const heap = this.#heap;
    let at = heap.push(rank) - 1;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (heap[above]! <= rank) break;
      heap[at] = heap[above]!;
      at = above;
    }
    heap[at] = rank;
  }

  pop(): number | undefined {
    const heap = this.#heap;
    const top = heap[0];
    const last = heap.pop();
    if (top === undefined || last === undefined || heap.length === 0) return top;
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      if (below >= heap.length) break;
      if (below + 1 < heap.length && heap[below + 1]! < heap[below]!) below += 1;
      if (heap[below]! >= last) break;
      heap[at] = heap[below]!;
      at = below;
    }
    heap[at] = last;
    return top;
  }
}

export interface OrderedCall {
  readonly node: SpanNode;
  readonly content: CallContent;
}

/** Ids of the calls each model call asked for, by the place of the call among them. */
function requesters(calls: readonly OrderedCall[]): Map<string, { at: number; place: number }[]> {
  const asked = new Map<string, { at: number; place: number }[]>();
  calls.forEach(({ content }, at) => {
    let place = 0;
    for (const piece of content.output ?? []) {
      if (piece.is !== "call") continue;
      place += 1;
      if (piece.id === undefined) continue;
      const list = asked.get(piece.id);
      if (list === undefined) asked.set(piece.id, [{ at, place }]);
      else list.push({ at, place });
    }
  });
  return asked;
}

/**
 * The calls of a run in the order in which they took effect. A tool call comes after the model call that
 * asked for it and before every model call that was given its result, and a tool that holds further calls
 * comes after them: that is known whatever the clocks say. Otherwise time decides (the start, for a tool
 * that ran an agent its end), then the parent, the order of the calls in the model's answer, and the order
 * of reading.
 *
 * O(n log n) in calls and ids.
 *
 * @returns the order, and how many calls stand in a circle of what must come first
 */
export function orderCalls(given: readonly OrderedCall[]): { ordered: OrderedCall[]; unclear: number } {
  const clock = given.toSorted((a, b) => byStart(a.node, b.node));
  const asked = requesters(clock);
  const placeOf = new Map<SpanNode, number>();
  const holding = holdingTools(clock.map(({ node }) => node));
  const when = ({ node }: OrderedCall): bigint =>
    holding.has(node) ? node.span.endNanos! : node.span.startNanos;
  const calls = clock.toSorted((a, b) => {
    const [first, second] = [when(a), when(b)];
    if (first !== second) return first < second ? -1 : 1;
    if (holding.has(a.node) !== holding.has(b.node)) return holding.has(a.node) ? -1 : 1;
    return compareTied(a, b, (call) => callPlace(call, asked, placeOf));
  });
  const rank = new Map(calls.map(({ node }, at) => [node, at]));
  const after: number[][] = calls.map(() => []);
  const waits = new Int32Array(calls.length);
  const edge = (from: number | undefined, to: number | undefined): void => {
    if (from === undefined || to === undefined || from === to) return;
    after[from]!.push(to);
    waits[to]! += 1;
  };
  const byId = idsOf(calls);
  const requesterOf = requesters(calls);
  calls.forEach(({ node, content }, at) => {
    if (node.role === "tool" && content.callId !== undefined) {
      // A provider that numbers calls anew has several askers; then the clock must decide.
      const from = requesterOf.get(content.callId);
      if (from?.length === 1 && byId.get(content.callId)?.length === 1) edge(from[0]!.at, at);
    }
    for (const piece of content.input ?? []) {
      if (piece.is !== "result" || piece.id === undefined) continue;
      const tools = byId.get(piece.id);
      if (tools?.length === 1 && requesterOf.get(piece.id)?.length === 1) edge(tools[0], at);
    }
    for (let above = node.parent; above !== undefined; above = above.parent) {
      if (above.role !== "tool" || !rank.has(above)) continue;
      edge(at, rank.get(above));
      break;
    }
  });
  return walk(calls, after, waits);
}

function idsOf(calls: readonly OrderedCall[]): Map<string, number[]> {
  const byId = new Map<string, number[]>();
  calls.forEach(({ node, content }, at) => {
    if (node.role !== "tool" || content.callId === undefined) return;
    const list = byId.get(content.callId);
    if (list === undefined) byId.set(content.callId, [at]);
    else list.push(at);
  });
  return byId;
}

function callPlace(
  { node, content }: OrderedCall,
  asked: ReadonlyMap<string, readonly { place: number }[]>,
  known: Map<SpanNode, number>,
): number {
  let place = known.get(node);
  if (place === undefined) {
    place = content.callId === undefined ? 0 : (asked.get(content.callId)?.[0]?.place ?? 0);
    known.set(node, place);
  }
  return place;
}

/** Calls of one moment. */
function compareTied(a: OrderedCall, b: OrderedCall, place: (call: OrderedCall) => number): number {
  const { parent: above } = a.node;
  const { parent: other } = b.node;
  if (above !== other && above !== undefined && other !== undefined) {
    const parents = byStart(above, other);
    if (parents !== 0) return parents;
  }
  return place(a) - place(b) || a.node.span.order - b.node.span.order;
}

function walk(
  calls: readonly OrderedCall[],
  after: readonly (readonly number[])[],
  waits: Int32Array,
): { ordered: OrderedCall[]; unclear: number } {
  const queue = new StartQueue();
  waits.forEach((count, at) => count === 0 && queue.push(at));
  const ordered: OrderedCall[] = [];
  const placed = new Uint8Array(calls.length);
  for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
    ordered.push(calls[at]!);
    placed[at] = 1;
    for (const next of after[at]!) {
      waits[next]! -= 1;
      if (waits[next] === 0) queue.push(next);
    }
  }
  const left = calls.filter((_, at) => placed[at] === 0);
  return { ordered: [...ordered, ...left], unclear: left.length };
}
