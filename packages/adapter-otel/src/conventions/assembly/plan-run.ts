import type { Piece } from "../messages/piece.ts";
import { toolName } from "../tool-name.ts";
import { contentOf } from "./call-content.ts";
import { entriesOf, entryOf, type Entry } from "./entry.ts";
import { historyOf } from "./follow-history.ts";
import type { OrderedCall } from "./order-calls.ts";
import { plannedStep, type PlannedStep } from "./planned-step.ts";
import type { PlanCounts, PlanState } from "./plan-state.ts";
import { planWork } from "./plan-work.ts";
import { enclosing, type SpanNode } from "./span-node.ts";
import { ThreadBook, type Thread } from "./thread.ts";

/** Nodes of prebuilt agents, which say no more than that a model was called. */
const MODEL_NODES = /^(?:model_request|agent|model|call_model|chatbot|llm)$/;

/** The nearest agent, or tool that holds further calls: what a conversation belongs to. */
function scopeOf(node: SpanNode): SpanNode | undefined {
  return enclosing(node, (above) => above.role === "run" || above.role === "tool");
}

/**
 * Turns the ordered calls of a run into steps and says what each adds to the transcript: what models
 * said, what tools gave, what units of work brought, and what came into a model's history by another
 * hand.
 */
export class RunPlan implements PlanState {
  readonly steps: PlannedStep[] = [];
  readonly threads = new ThreadBook();
  readonly known = new Map<string, Entry>();
  readonly owner = new Map<Entry, PlannedStep>();
  readonly counts: PlanCounts = { histories: 0, models: 0, seen: 0, filled: 0, fromHistory: 0, edited: 0 };
  readonly task: Entry;
  #firstScope: SpanNode | undefined | null = null;

  constructor(task: Entry) {
    this.task = task;
    this.known.set(task.key, task);
  }

  add(call: OrderedCall): void {
    switch (call.node.role) {
      case "model":
        return this.#model(call);
      case "tool":
        return this.#tool(call, call.node.reading.name);
      case "node": {
        const name = toolName(call.node.reading.name);
        const tool = this.threads.awaits(name) ? call.node.reading.asTool?.() : undefined;
        if (tool === undefined) return planWork(this, call.node);
        return this.#tool({ node: call.node, content: contentOf([tool]) }, name);
      }
      default:
        return planWork(this, call.node);
    }
  }

  /** The agent's name, where it is not the one the run began with. */
  #agentOf(scope: SpanNode | undefined): string | undefined {
    if (this.#firstScope === null) this.#firstScope = scope;
    return scope === this.#firstScope || scope === undefined ? undefined : scope.reading.name;
  }

  #model({ node, content }: OrderedCall): void {
    const scope = scopeOf(node);
    const agent = this.#agentOf(scope);
    const speaker = agent ?? "assistant";
    const { node: graph } = node.reading;
    const type = graph === undefined || MODEL_NODES.test(graph) ? "model" : graph;
    const step = plannedStep({ node, kind: "llm", type, content, agent });
    const history = content.input === undefined ? [] : entriesOf(content.input, speaker);
    this.counts.models += 1;
    if (history.length > 0) this.counts.histories += 1;
    const thread = historyOf(this, step, scope, history);
    const output = entriesOf(content.output ?? [], speaker);
    step.captured = output.length > 0 || content.failed;
    this.#say(step, thread, output);
    this.steps.push(step);
  }

  /** What a model said, on its step and in its thread. */
  #say(step: PlannedStep, thread: Thread, output: readonly Entry[]): void {
    const answered = new Set(output.map((entry) => (entry.is === "result" ? entry.id : undefined)));
    for (const entry of output) {
      this.added(step, thread, entry);
      if (entry.is !== "call") continue;
      step.calls.push({ tool: entry.name ?? "unknown", args: entry.text });
      if (entry.id === undefined || !answered.has(entry.id)) this.threads.ask(thread, entry);
    }
    thread.last = step;
    thread.speaking = true;
  }

  added(step: PlannedStep, thread: Thread | undefined, entry: Entry): void {
    step.added.push(entry);
    this.owner.set(entry, step);
    this.known.set(entry.key, entry);
    thread?.entries.push(entry);
  }

  #tool({ node, content }: OrderedCall, name: string): void {
    const scope = scopeOf(node);
    const asked = this.threads.answer({ id: content.callId, name, args: content.args }, scope);
    const thread = asked?.thread ?? this.threads.of(scope);
    const args = content.args ?? asked?.call.text;
    const step = plannedStep({
      node,
      kind: "tool",
      type: `tool:${name}`,
      content,
      agent: this.#toolAgent(scope),
      answers: asked?.call,
      calls: [{ tool: name, args }],
    });
    const id = asked?.call.id ?? content.callId;
    const text = content.result ?? (content.failed ? content.failure : undefined);
    const result: Piece = {
      is: "result",
      ...(id !== undefined && { id }),
      name,
      text,
      ...(content.failed && { failed: true }),
    };
    if (asked === undefined && args !== undefined) {
      // No model call is known to have asked for it: the call is part of what the step adds.
      const call: Piece = { is: "call", ...(id !== undefined && { id }), name, args };
      this.added(step, thread, entryOf(call, "assistant", { loose: true }));
    }
    this.added(step, thread, entryOf(result, "assistant", { loose: asked === undefined }));
    step.captured = text !== undefined || content.failed;
    if (thread !== undefined) thread.speaking = false;
    this.steps.push(step);
  }

  #toolAgent(scope: SpanNode | undefined): string | undefined {
    return this.#firstScope === null || scope === this.#firstScope ? undefined : scope?.reading.name;
  }
}
