/**
 * The little of a compiled graph that tells whether a run shows the whole state. Read by shape: the
 * graph may come from any copy of LangGraph.
 */
export interface GraphShape {
  /** True where the node's input holds every channel of the state. */
  readsAll(node: string): boolean;
  /** Channels of the state that the graph's own result leaves out. */
  readonly hiddenFromOutput: readonly string[];
  /** True where a value holds every channel that must be in a whole state. */
  isWhole(state: unknown): boolean;
  /** True where a breakpoint of the graph stops a run after these nodes, of which edges lead to `goals`. */
  pausesAfter(nodes: readonly string[], goals: readonly string[]): boolean;
  /** Shape of the graph that a node is. */
  inside(node: string): GraphShape | undefined;
}

interface CompiledGraphLike {
  readonly nodes: Readonly<Record<string, { readonly channels?: unknown; readonly subgraphs?: unknown }>>;
  readonly channels: Readonly<Record<string, { readonly lc_graph_name?: unknown } | undefined>>;
  readonly streamChannels?: unknown;
  readonly outputChannels?: unknown;
  readonly interruptBefore?: unknown;
  readonly interruptAfter?: unknown;
  readonly builder?: { readonly edges?: Iterable<readonly [string, string]> };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function isCompiledGraph(value: unknown): value is CompiledGraphLike {
  return (
    isRecord(value) &&
    value["lg_is_pregel"] === true &&
    isRecord(value["nodes"]) &&
    isRecord(value["channels"])
  );
}

function names(channels: unknown): string[] {
  if (typeof channels === "string") return [channels];
  if (Array.isArray(channels)) return channels.filter((name) => typeof name === "string");
  return isRecord(channels) ? Object.keys(channels) : [];
}

/** Channels that no checkpoint keeps, such as createAgent's `jumpTo`: nothing of the state. */
function isUntracked(graph: CompiledGraphLike, name: string): boolean {
  return graph.channels[name]?.lc_graph_name === "UntrackedValue";
}

/** Where a graph ends, as its edges name it. */
export const END = "__end__";

function pausesAfter(graph: CompiledGraphLike, nodes: readonly string[], goals: readonly string[]): boolean {
  const stops = (breakpoints: unknown, node: string) =>
    breakpoints === "*" || (Array.isArray(breakpoints) && breakpoints.includes(node));
  const edges = [...(graph.builder?.edges ?? [])]
    .filter(([from]) => nodes.includes(from))
    .map(([, to]) => to);
  const next = [...edges, ...goals].filter((node) => node !== END);
  if (next.length === 0) return false;
  return (
    nodes.some((node) => stops(graph.interruptAfter, node)) ||
    next.some((node) => stops(graph.interruptBefore, node))
  );
}

function shapeOf(graph: CompiledGraphLike): GraphShape {
  const state = names(graph.streamChannels).filter((name) => !isUntracked(graph, name));
  const output = new Set(names(graph.outputChannels));
  const readers = new Map<string, boolean>();
  const inner = new Map<string, GraphShape | undefined>();
  return {
    readsAll(node) {
      let reads = readers.get(node);
      if (reads === undefined) {
        const own = new Set(names(graph.nodes[node]?.channels));
        reads = state.every((name) => own.has(name));
        readers.set(node, reads);
      }
      return reads;
    },
    hiddenFromOutput: state.filter((name) => !output.has(name)),
    isWhole: (value) =>
      isRecord(value) && state.every((name) => name in value || graph.channels[name] === undefined),
    pausesAfter: (nodes, goals) => pausesAfter(graph, nodes, goals),
    inside(node) {
      if (!inner.has(node)) {
        const subgraphs = graph.nodes[node]?.subgraphs;
        inner.set(
          node,
          Array.isArray(subgraphs) && subgraphs.length === 1 ? graphShape(subgraphs[0]) : undefined,
        );
      }
      return inner.get(node);
    },
  };
}

/** The shape of a compiled graph or of the graph inside an agent; undefined for anything else. */
export function graphShape(target: unknown): GraphShape | undefined {
  try {
    if (isCompiledGraph(target)) return shapeOf(target);
    const { graph } = target as { graph?: unknown };
    return isCompiledGraph(graph) ? shapeOf(graph) : undefined;
  } catch {
    return undefined;
  }
}
