import { isSaid, type Entry } from "./entry.ts";
import { matchHistory, sameResult, type HistoryMatch } from "./match-history.ts";
import { beginThread, editThread, isEdited, markSeen } from "./replace-history.ts";
import type { PlannedStep } from "./planned-step.ts";
import type { PlanState } from "./plan-state.ts";
import type { SpanNode } from "./span-node.ts";
import type { Thread } from "./thread.ts";
import { toldResult } from "./told-result.ts";

/**
 * The thread that a model call goes on with, brought up to what the call was given.
 *
 * A call without history goes on with its agent's thread; one that is given tool results alone adds them.
 * A history that holds a whole thread extends it: the results it shows are what the agent saw, results
 * without a span become steps of their own, anything else new came by another hand. A history that is
 * only the beginning of a thread is a side call. One that shares a part of its agent's thread was edited
 * by the host, and replaces it. Everything else begins a thread.
 */
export function historyOf(
  plan: PlanState,
  step: PlannedStep,
  scope: SpanNode | undefined,
  history: readonly Entry[],
): Thread {
  const own = plan.threads.of(scope);
  if (history.length === 0) return own ?? plan.threads.open(scope);
  if (history.every(({ is }) => is === "result")) return onlyResults(plan, step, scope, history);
  let best: { thread: Thread; match: HistoryMatch } | undefined;
  let inside: { thread: Thread; match: HistoryMatch } | undefined;
  for (const thread of plan.threads.recent(scope)) {
    const match = matchHistory(thread.entries, history, thread.last?.captured === false);
    const isStart = thread.entries.length === 0 && thread === own;
    if (match.extends && (match.pairs.length > 0 || isStart)) {
      if (best === undefined || match.pairs.length > best.match.pairs.length) best = { thread, match };
      if (thread === own) break;
    } else if (match.within && match.pairs.length > 0) inside ??= { thread, match };
  }
  if (best !== undefined) {
    extend(plan, step, best.thread, best.match);
    plan.threads.continues(scope, best.thread);
    return best.thread;
  }
  if (inside !== undefined) {
    const side = plan.threads.open(scope);
    side.entries = inside.match.pairs.map(([known]) => known);
    return side;
  }
  if (own !== undefined && isEdited(own, history)) return editThread(plan, step, own, history);
  return beginThread(plan, step, scope, history);
}

function extend(plan: PlanState, step: PlannedStep, thread: Thread, match: HistoryMatch): void {
  for (const [known, given] of match.pairs) markSeen(plan, known, given);
  for (const [before, given] of match.echoes) {
    if (before === undefined) continue;
    const own = plan.owner.get(before);
    // Reasoning stands in the turn it is shown in; a turn that was not recorded is the last call's.
    const speaker = given.is === "reasoning" ? own : thread.last;
    if (speaker === undefined) continue;
    const { added } = speaker;
    added.splice(speaker === own ? added.indexOf(before) : added.length, 0, given);
    plan.owner.set(given, speaker);
    thread.entries.splice(thread.entries.indexOf(before), 0, given);
    if (speaker === thread.last) speaker.captured = true;
  }
  absorb(plan, step, thread, match.rest);
}

/** Takes what a history has after a thread's end into it. */
function absorb(plan: PlanState, step: PlannedStep, thread: Thread, rest: readonly Entry[]): void {
  for (const entry of rest) {
    const said = isSaid(entry);
    if (said && thread.speaking && thread.last !== undefined) {
      // The turn of the last model call, of which its own span told less or nothing.
      plan.added(thread.last, thread, entry);
      thread.last.captured = true;
      if (entry.is === "call") {
        thread.last.calls.push({ tool: entry.name ?? "unknown", args: entry.text });
        plan.threads.ask(thread, entry);
      }
      continue;
    }
    thread.speaking = false;
    if (entry.is === "result" && (shownAgain(plan, thread, entry) || toldResult(plan, step, thread, entry))) {
      continue;
    }
    step.inserted.push({ after: undefined, entry });
    plan.known.set(entry.key, entry);
    thread.entries.push(entry);
  }
}

/** A result without an id that holds what a tool gave unasked: code agents show what they ran as one observation. */
function shownAgain(plan: PlanState, thread: Thread, entry: Entry): boolean {
  if (entry.id !== undefined) return false;
  const text = entry.text ?? "";
  const known = thread.entries.findLast(
    (one) =>
      one.is === "result" &&
      one.loose &&
      !one.seen &&
      one.text !== undefined &&
      text.includes(one.text.trim()),
  );
  if (known === undefined) return false;
  markSeen(plan, known, entry);
  return true;
}

/** A call that is given nothing but the results since the last one. */
function onlyResults(
  plan: PlanState,
  step: PlannedStep,
  scope: SpanNode | undefined,
  history: readonly Entry[],
): Thread {
  const thread = plan.threads.of(scope) ?? plan.threads.recent(scope)[0] ?? plan.threads.open(scope);
  const rest: Entry[] = [];
  for (const given of history) {
    const known = thread.entries.findLast((entry) => entry.is === "result" && sameResult(entry, given));
    if (known === undefined) rest.push(given);
    else markSeen(plan, known, given);
  }
  absorb(plan, step, thread, rest);
  return thread;
}
