import type { JsonObject, JsonValue, Step } from "@agent-step-value/sdk";
import { opened } from "../messages/foreign-json.ts";
import { holdingTools } from "./holding-tools.ts";
import type { PlannedStep } from "./planned-step.ts";
import type { SpanNode } from "./span-node.ts";
import { isAbove } from "./span-node.ts";
import type { StateWriter } from "./state-writer.ts";

const NAME_LIMIT = 200;
const MOST_CALLS = 64;
const ARGS_LIMIT = 4000;

/** Milliseconds a span took; absent where its end is unknown or lies before its start. */
function latency({ span }: SpanNode): number | undefined {
  if (span.endNanos === undefined || span.endNanos < span.startNanos) return undefined;
  return Number(span.endNanos - span.startNanos) / 1e6;
}

function cost({ node, kind, told, content }: PlannedStep): JsonObject {
  const numbers: [string, number | undefined][] = [
    ["prompt_tokens", kind === "llm" ? content?.usage?.prompt : undefined],
    ["completion_tokens", kind === "llm" ? content?.usage?.completion : undefined],
    ["tool_calls", kind === "tool" ? 1 : undefined],
    ["latency_ms", told === "span" ? latency(node) : undefined],
  ];
  return Object.fromEntries(numbers.filter((entry): entry is [string, number] => entry[1] !== undefined));
}

/** Arguments as JSON where they are an object of moderate size, else as text. */
function plainArgs(args: string, writer: StateWriter): JsonValue {
  const open = args.length <= ARGS_LIMIT ? opened(args) : args;
  return typeof open === "object" ? writer.value(open as JsonValue) : writer.text(args);
}

function action(step: PlannedStep, writer: StateWriter): JsonObject {
  const { type, agent, calls, content, kind } = step;
  return {
    type: writer.text(type, NAME_LIMIT),
    ...(agent !== undefined && { agent: writer.text(agent, NAME_LIMIT) }),
    ...(kind === "llm" && content?.model !== undefined && { model: writer.text(content.model, NAME_LIMIT) }),
    ...(calls.length > 0 && {
      calls: calls.slice(0, MOST_CALLS).map(({ tool, args }) => ({
        tool: writer.text(tool, NAME_LIMIT),
        ...(args !== undefined && { args: plainArgs(args, writer) }),
      })),
    }),
  };
}

/** Steps that ran while another was running; what holds a step does not run beside it. */
export function concurrentSteps(steps: readonly PlannedStep[]): ReadonlySet<PlannedStep> {
  const found = new Set<PlannedStep>();
  const timed = steps
    .filter(({ told, node }) => told === "span" && node.span.endNanos !== undefined)
    .toSorted((a, b) => (a.node.span.startNanos < b.node.span.startNanos ? -1 : 1));
  const holding = holdingTools(timed.map(({ node }) => node));
  let longest: PlannedStep | undefined;
  for (const step of timed) {
    const { node } = step;
    if (longest !== undefined && node.span.startNanos < longest.node.span.endNanos!) {
      if (!isAbove(longest.node, node)) {
        found.add(step);
        found.add(longest);
      }
    }
    const holds = node.holdsCalls || holding.has(node);
    if (!holds && (longest === undefined || node.span.endNanos! > longest.node.span.endNanos!))
      longest = step;
  }
  return found;
}

function extra(step: PlannedStep, concurrent: boolean, writer: StateWriter): JsonObject {
  const { node, kind, content, told } = step;
  const failed = content?.failed === true;
  return {
    status: failed ? "error" : "ok",
    kind,
    ...(failed &&
      content.failure !== undefined && { error: { message: writer.text(content.failure, 2000) } }),
    ...(concurrent && { concurrent: true }),
    ...(told !== "span" && { told_by: told === "history" ? "next_call" : "run_output" }),
    trace_id: node.span.traceId,
    span_id: node.span.spanId,
  };
}

/** A step id that is the span's own where it can be, so that results find their span again. */
function stepId(step: PlannedStep, used: Set<string>): string {
  const base = step.told === "span" ? step.node.span.spanId : `${step.node.span.spanId}-told`;
  let id = base === "" ? "step" : base;
  for (let n = 2; used.has(id); n += 1) id = `${base}-${n}`;
  used.add(id);
  return id;
}

/**
 * The planned steps with their states. A step of which nobody knows what it brought has no after-state:
 * it cannot be scored, and an unchanged state would claim that it was worth nothing.
 */
export function writeSteps(planned: readonly PlannedStep[], writer: StateWriter): Step[] {
  const used = new Set<string>();
  const concurrent = concurrentSteps(planned);
  return planned.map((step, index): Step => {
    const earlier = writer.state();
    writer.change(step.removed, step.inserted);
    const stateBefore = writer.state();
    writer.append(step.added);
    const stateAfter = step.captured ? writer.state() : undefined;
    return {
      stepId: stepId(step, used),
      index,
      action: action(step, writer),
      observation: {},
      ...(stateBefore !== undefined && { stateBefore }),
      ...(stateAfter !== undefined && { stateAfter }),
      cost: cost(step),
      qualityFlags: {},
      ...(index > 0 && earlier !== stateBefore && { discontinuity: true }),
      extra: extra(step, concurrent.has(step), writer),
    };
  });
}
