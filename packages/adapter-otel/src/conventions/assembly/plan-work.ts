import type { Piece } from "../messages/piece.ts";
import { callContent } from "./call-content.ts";
import { entriesOf, entryOf, isSaid, keyOf } from "./entry.ts";
import { plannedStep, type PlannedStep } from "./planned-step.ts";
import type { PlanState } from "./plan-state.ts";
import { enclosing, type SpanNode } from "./span-node.ts";

/** A text that a whole run gave is its answer. */
function asAnswer(piece: Piece): Piece {
  const plain = piece.is === "field" && piece.kind === "other" && piece.name === undefined;
  return plain ? { is: "text", role: "assistant", text: piece.text } : piece;
}

/**
 * A retrieval or a unit of work: what it brought, less what the transcript has. Work that brought
 * nothing new is no step.
 */
export function planWork(plan: PlanState, node: SpanNode): void {
  const { name, args, failed, failure } = node.reading;
  const retrieval = node.role === "retrieval";
  const content = callContent(node);
  const step = plannedStep({
    node,
    kind: retrieval ? "retrieval" : "other",
    type: retrieval ? `retrieval:${name}` : name,
    content,
    calls: retrieval ? [{ tool: name, args }] : [],
  });
  const outcome = node.reading.outcome?.();
  if (outcome?.some(({ is }) => is === "call") && planTranscript(plan, node, outcome)) return;
  step.captured = outcome !== undefined || failed === true;
  const answers = enclosing(node, () => true) === undefined || node.role === "run";
  const given = answers && !retrieval ? (outcome ?? []).map(asAnswer) : (outcome ?? []);
  const fresh = given.filter((piece) => !plan.known.has(keyOf(piece)));
  if (step.captured && !retrieval && fresh.length === 0 && failed !== true) return;
  const label = retrieval ? name : undefined;
  const pieces = fresh.map((piece) =>
    piece.is === "field" && piece.name === undefined && label !== undefined
      ? { ...piece, name: label }
      : piece,
  );
  for (const entry of entriesOf(pieces, "assistant")) plan.added(step, undefined, entry);
  if (failed === true && failure !== undefined && pieces.length === 0) {
    plan.added(step, undefined, entryOf({ is: "field", kind: "other", name, text: failure }, name));
  }
  plan.steps.push(step);
}

/**
 * What the whole run gave, as its last step: tracers that record no model calls tell the answer only so.
 */
export function planAnswer(plan: PlanState, root: SpanNode): void {
  const outcome = root.reading.outcome?.();
  const fresh = (outcome ?? []).map(asAnswer).filter((piece) => !plan.known.has(keyOf(piece)));
  if (plan.counts.models > 0 || fresh.length === 0) return;
  const step = plannedStep({ node: root, kind: "other", type: "answer", told: "output" });
  for (const entry of entriesOf(fresh, "assistant")) plan.added(step, undefined, entry);
  plan.steps.push(step);
}

/**
 * A run or unit of work whose calls were not recorded and which gave a whole conversation: each turn of
 * the model and each result in it is a step.
 */
function planTranscript(plan: PlanState, node: SpanNode, outcome: readonly Piece[]): boolean {
  const fresh = entriesOf(outcome, "assistant").filter(({ key }) => !plan.known.has(key));
  let step: PlannedStep | undefined;
  for (const entry of fresh) {
    const result = entry.is === "result";
    const said = isSaid(entry);
    if (!result && !said) continue;
    if (result || step?.kind !== "llm") {
      const asked = result
        ? plan.threads.answer({ id: entry.id, name: entry.name, args: undefined }, node)
        : undefined;
      const tool = asked?.call.name ?? entry.name ?? "unknown";
      const calls = result ? [{ tool, args: asked?.call.text }] : [];
      const type = result ? `tool:${tool}` : "model";
      const kind = result ? "tool" : "llm";
      step = plannedStep({ node, kind, type, told: "output", answers: asked?.call, calls });
      plan.steps.push(step);
    }
    const thread = plan.threads.of(node) ?? plan.threads.open(node);
    plan.added(step, thread, entry);
    if (entry.is !== "call") continue;
    step.calls.push({ tool: entry.name ?? "unknown", args: entry.text });
    plan.threads.ask(thread, entry);
  }
  return step !== undefined;
}
