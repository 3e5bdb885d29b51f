import { namedResult, type Entry } from "./entry.ts";
import { plannedStep, type PlannedStep } from "./planned-step.ts";
import type { PlanState } from "./plan-state.ts";
import type { Thread } from "./thread.ts";

/**
 * A result that no span recorded becomes a step of its own, before the call that was shown it. False for
 * one that answers no call.
 */
export function toldResult(plan: PlanState, step: PlannedStep, thread: Thread, entry: Entry): boolean {
  const { id, name } = entry;
  const found = plan.threads.answer({ id, name, args: undefined }, thread.scope)?.call;
  const call =
    found ?? (id === undefined && name === undefined ? plan.threads.answerOnly(thread) : undefined);
  if (call === undefined) return false;
  const tool = call.name ?? name ?? "unknown";
  const told = plannedStep({
    node: step.node,
    kind: "tool",
    type: `tool:${tool}`,
    told: "history",
    agent: step.agent,
    answers: call,
    calls: [{ tool, args: call.text }],
  });
  const shown = namedResult(entry, tool);
  shown.seen = true;
  plan.added(told, thread, shown);
  plan.steps.push(told);
  plan.counts.fromHistory += 1;
  return true;
}
