import { isJsonObject } from "../../schema/index.ts";
import { readMessage } from "../chat/read-message.ts";
import { readMessages } from "../chat/read-messages.ts";
import { isStripped, outputOf, type Observation } from "./observation.ts";
import type { ObservationTree } from "./observation-tree.ts";

/** What an observation is for the run: a step of a kind, or none. */
export interface StepObservation {
  readonly observation: Observation;
  readonly kind: "llm" | "tool" | "other";
  /** A tool in which steps were taken, so that its result came after theirs. */
  readonly wraps: boolean;
}

export interface ObservationRoles {
  readonly steps: readonly StepObservation[];
  /** Left out because an evaluator wrote them; they carry the answer key. */
  readonly refused: number;
  /** Left out because they only wrap another record of the same call. */
  readonly folded: number;
  /** True where the trace names neither model calls nor tools, and its innermost spans are the steps. */
  readonly fromSpans: boolean;
}

const TOOLS = new Set(["TOOL", "RETRIEVER"]);
const NO_STEP = new Set(["EVENT", "EMBEDDING", "GUARDRAIL", "EVALUATOR"]);

/** What LangChain and LangGraph do between the nodes of a graph; nothing that an agent does. */
const BOOKKEEPING =
  /^(?:ChannelWrite|ChannelRead|Branch|RunnableAssign|RunnableParallel)<|^(?:should_continue|tools_condition|__start__|__end__|_write|route_.*|LangGraph|Runnable[A-Z]\w*|\w*OutputParser|\w*PromptTemplate)$/;

/** Tells steps from the spans around and between them. */
export function observationRoles(tree: ObservationTree): ObservationRoles {
  const refused = new Set<Observation>();
  for (const observation of tree.topDown) {
    const parent = tree.parentOf(observation);
    if (observation.type === "EVALUATOR" || (parent !== undefined && refused.has(parent)))
      refused.add(observation);
  }
  const open = tree.topDown.filter((observation) => !refused.has(observation));
  const { steps, folded } = callSteps(open, tree);
  if (steps.length > 0) return { steps, refused: refused.size, folded, fromSpans: false };
  return { steps: spanSteps(open, tree), refused: refused.size, folded: 0, fromSpans: true };
}

/** What stands below an observation: whether a model call, and the names of the nearest tools. */
interface Below {
  readonly generation: boolean;
  readonly names: Set<string>;
}

function callSteps(
  open: readonly Observation[],
  tree: ObservationTree,
): { steps: StepObservation[]; folded: number } {
  const called = calledTools(open);
  const inside = new Map<Observation, Below>();
  const steps: StepObservation[] = [];
  let folded = 0;
  for (const observation of open.toReversed()) {
    const below = inside.get(observation) ?? { generation: false, names: new Set<string>() };
    inside.delete(observation);
    const wraps = below.generation || below.names.size > 0;
    const kind = kindOf(observation, wraps, called);
    // Two instrumentations, or an outer call and the request it makes: the inner record is the call.
    const isTwin = kind === "llm" ? below.generation : below.names.has(observation.name);
    if (kind !== undefined && isTwin) folded += 1;
    else if (kind !== undefined) steps.push({ observation, kind, wraps: kind === "tool" && wraps });
    const parent = tree.parentOf(observation);
    if (parent === undefined) continue;
    // What happens inside a tool is no second record of the call that asked for it.
    const shown: Below =
      kind === "tool"
        ? { generation: false, names: new Set([observation.name]) }
        : { generation: below.generation || kind === "llm", names: below.names };
    inside.set(parent, merged(inside.get(parent), shown));
  }
  return { steps, folded };
}

/** The smaller set goes into the larger one, so that a deep trace costs n log n. */
function merged(known: Below | undefined, more: Below): Below {
  if (known === undefined) return more;
  const [small, large] = known.names.size < more.names.size ? [known, more] : [more, known];
  for (const name of small.names) large.names.add(name);
  return { generation: known.generation || more.generation, names: large.names };
}

function kindOf(
  observation: Observation,
  hasSteps: boolean,
  called: ReadonlySet<string>,
): "llm" | "tool" | undefined {
  const { type, name } = observation;
  if (type === "GENERATION") return "llm";
  if (TOOLS.has(type)) return "tool";
  if (hasSteps || NO_STEP.has(type) || isStripped(observation)) return undefined;
  // Older exporters file a tool under SPAN: a model called it by name, or it gave back a tool's message.
  return called.has(name) || isToolMessage(outputOf(observation)) ? "tool" : undefined;
}

function isToolMessage(output: unknown): boolean {
  if (!isJsonObject(output) || output["type"] !== "tool") return false;
  return readMessage(output)?.[0]?.role === "tool";
}

function calledTools(open: readonly Observation[]): Set<string> {
  const names = new Set<string>();
  for (const observation of open) {
    if (observation.type !== "GENERATION") continue;
    for (const { parts } of readMessages(outputOf(observation), "assistant") ?? []) {
      for (const part of parts) if (part.is === "call") names.add(part.name);
    }
  }
  return names;
}

function spanSteps(open: readonly Observation[], tree: ObservationTree): StepObservation[] {
  const own = open.filter(({ name, type }) => !BOOKKEEPING.test(name) && !NO_STEP.has(type));
  const kept = new Set(own);
  const parents = new Set(own.map((observation) => tree.parentOf(observation)));
  return own
    .filter((observation) => !parents.has(observation) && kept.has(observation) && !isStripped(observation))
    .map((observation) => ({ observation, kind: "other", wraps: false }));
}
