import { isSaid, type Entry } from "./entry.ts";
import { sameResult } from "./match-history.ts";
import type { PlannedStep } from "./planned-step.ts";
import type { PlanState } from "./plan-state.ts";
import type { SpanNode } from "./span-node.ts";
import type { Thread } from "./thread.ts";
import { toldResult } from "./told-result.ts";

/** A history with turns of its own that shares one with the agent's thread: trimmed, summarised or rewritten. */
export function isEdited(thread: Thread, history: readonly Entry[]): boolean {
  const turns = history.filter(
    (entry) => entry.is === "result" || (isSaid(entry) && entry.is !== "reasoning"),
  );
  if (turns.length === 0) return false;
  const keys = new Set(thread.entries.map(({ key }) => key));
  return turns.some(({ key }) => keys.has(key));
}

/** A result reads as the model call that followed was given it: that is what the agent saw. */
export function markSeen(plan: PlanState, known: Entry, given: Entry): void {
  if (known.is !== "result" || known.seen) return;
  known.seen = true;
  const owner = plan.owner.get(known);
  if (owner !== undefined && given.text !== undefined) owner.captured = true;
  if (given.text === undefined || given.text === "" || given.text === known.text) return;
  const hadText = known.text !== undefined;
  known.text = given.text;
  if (hadText) plan.counts.seen += 1;
  else plan.counts.filled += 1;
}

/** The transcript's own entry for what a history shows, if it has one. Calls of two agents may have one id. */
function knownEntry(plan: PlanState, given: Entry): Entry | undefined {
  const known = plan.known.get(given.key);
  if (known?.is !== given.is) return undefined;
  if (known.is !== "result") return known;
  const named = known.name === undefined || given.name === undefined || known.name === given.name;
  return named && sameResult(known, given) ? known : undefined;
}

/** A conversation that continues none: what the transcript has already is not shown twice. */
export function beginThread(
  plan: PlanState,
  step: PlannedStep,
  scope: SpanNode | undefined,
  history: readonly Entry[],
): Thread {
  const thread = plan.threads.open(scope);
  const taken = new Set<Entry>();
  for (const given of history) {
    const known = knownEntry(plan, given);
    const entry = known === undefined || taken.has(known) ? given : known;
    taken.add(entry);
    if (entry === given && entry.is === "result" && toldResult(plan, step, thread, entry)) continue;
    thread.entries.push(entry);
    if (entry !== given) {
      markSeen(plan, entry, given);
      continue;
    }
    entry.seen = true;
    step.inserted.push({ after: undefined, entry });
    plan.known.set(entry.key, entry);
  }
  return thread;
}

/** Puts a rewritten history in the place of the thread: what it no longer holds goes out of the transcript. */
export function editThread(
  plan: PlanState,
  step: PlannedStep,
  thread: Thread,
  history: readonly Entry[],
): Thread {
  plan.counts.edited += 1;
  const left = new Map<string, Entry[]>();
  for (const entry of thread.entries) {
    const list = left.get(entry.key);
    if (list === undefined) left.set(entry.key, [entry]);
    else list.push(entry);
  }
  const kept = new Set<Entry>();
  let after = plan.task;
  const entries: Entry[] = [];
  for (const given of history) {
    const known = left.get(given.key)?.shift();
    const same = known !== undefined && (known.is !== "result" || sameResult(known, given));
    const entry = same ? known : given;
    if (same) {
      kept.add(known);
      markSeen(plan, known, given);
    } else {
      entry.seen = true;
      step.inserted.push({ after, entry });
      plan.known.set(entry.key, entry);
    }
    entries.push(entry);
    after = entry;
  }
  for (const entry of thread.entries) {
    if (kept.has(entry) || entry.loose || entry === plan.task) continue;
    step.removed.add(entry);
    plan.known.delete(entry.key);
  }
  thread.entries = entries;
  const results = new Set(entries.map(({ is, id }) => (is === "result" ? id : undefined)));
  thread.pending = thread.pending.filter((call) => kept.has(call) && !results.has(call.id));
  return thread;
}
