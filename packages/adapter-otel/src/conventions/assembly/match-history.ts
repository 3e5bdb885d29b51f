import { isSaid, type Entry } from "./entry.ts";
import { normalText } from "../messages/normal-text.ts";

/** How far ahead a call or result is looked for among those of its turn. */
const FARTHEST = 2048;

/** How a call's history compares with a thread so far. */
export interface HistoryMatch {
  /** Every required entry of the thread is in the history, in order. */
  readonly extends: boolean;
  /** The whole history is in the thread, which has more. */
  readonly within: boolean;
  /** Entries of the thread with what the history has for them. */
  readonly pairs: readonly (readonly [known: Entry, given: Entry])[];
  /** What the history shows a model to have thought or said and the thread lacks, with the entry it stands before. */
  readonly echoes: readonly (readonly [before: Entry | undefined, given: Entry])[];
  /** What the history has after the thread's last entry. */
  readonly rest: readonly Entry[];
}

/** The same call's result; one that was shown before must read as it did, or the host has rewritten it. */
export function sameResult(known: Entry, given: Entry): boolean {
  if (known.id !== undefined && given.id !== undefined) {
    return known.id === given.id && (!known.seen || sameText(known.text, given.text));
  }
  if (known.name !== undefined && given.name !== undefined && known.name !== given.name) return false;
  return known.text === undefined || sameText(known.text, given.text);
}

function sameText(known: string | undefined, given: string | undefined): boolean {
  return (known ?? "").trim() === (given ?? "").trim();
}

/** Without ids, a result under the tool's name is likely the first of that name that was not shown yet. */
function resultLikeness(known: Entry, given: Entry): "surely" | "likely" | undefined {
  if (sameResult(known, given)) return "surely";
  const nameless = known.id === undefined || given.id === undefined;
  return nameless && !known.seen && known.name !== undefined && known.name === given.name
    ? "likely"
    : undefined;
}

/** Longest tail by which two writings of one answer may differ: a stop word that was cut off or put back. */
const TAIL = 40;

function startsAlike(known: string, given: string): boolean {
  const [short, long] = known.length < given.length ? [known, given] : [given, known];
  return short.length > TAIL && long.length - short.length <= TAIL && long.startsWith(short);
}

/**
 * Whether the two are one piece: `surely`, or `likely`, where ids or the end of a text differ as some
 * providers make them differ between what a model gave and what it is shown of it.
 */
function likeness(known: Entry, given: Entry): "surely" | "likely" | undefined {
  if (known.is !== given.is) return undefined;
  if (known.is === "result") return resultLikeness(known, given);
  if (known.key === given.key) return "surely";
  if (known.is === "call") {
    const same = known.name === given.name && normalText(known.text) === normalText(given.text);
    if (!same) return undefined;
    return known.id === undefined || given.id === undefined ? "surely" : "likely";
  }
  const said = known.key.startsWith("text\0assistant") && given.key.startsWith("text\0assistant");
  return said && startsAlike((known.text ?? "").trim(), (given.text ?? "").trim()) ? "likely" : undefined;
}

function isTurnPart({ is }: Entry): boolean {
  return is === "call" || is === "result";
}

/**
 * Compares what a model call was given with what a thread holds. Calls and results of one turn may stand
 * in another order; reasoning may be missing on either side; entries nobody was shown as a message may
 * be missing from the history, and so may calls where the history knows none.
 *
 * @param silent true where the thread's last model call did not record what it said
 */
export function matchHistory(
  thread: readonly Entry[],
  history: readonly Entry[],
  silent = false,
): HistoryMatch {
  const knowsCalls = history.some(({ is }) => is === "call");
  const skippable = (entry: Entry): boolean =>
    entry.loose ||
    (entry.is === "call" && !knowsCalls) ||
    // A result that nobody recorded may never have reached the model either.
    (entry.is === "result" && entry.text === undefined);
  const used = new Set<Entry>();
  const pairs: [Entry, Entry][] = [];
  const echoes: [Entry | undefined, Entry][] = [];
  let from = 0;
  let at = 0;
  const find = (given: Entry): number => {
    const last = Math.min(thread.length, from + FARTHEST);
    let likely = -1;
    for (let i = from; i < last; i += 1) {
      const known = thread[i]!;
      if (used.has(known)) continue;
      const like = likeness(known, given);
      if (like === "surely") return i;
      if (like === "likely" && likely < 0) likely = i;
      if (!skippable(known) && !(isTurnPart(known) && isTurnPart(given))) break;
    }
    return likely;
  };
  for (; at < history.length; at += 1) {
    const given = history[at]!;
    const found = find(given);
    if (found < 0) {
      if (given.is !== "reasoning" && !(silent && isSaid(given))) break;
      while (from < thread.length && used.has(thread[from]!)) from += 1;
      echoes.push([thread[from], given]);
      continue;
    }
    const known = thread[found]!;
    used.add(known);
    pairs.push([known, given]);
    if (!isTurnPart(given)) from = found + 1;
    while (from < thread.length && used.has(thread[from]!)) from += 1;
  }
  let missing = false;
  for (let i = from; i < thread.length && !missing; i += 1)
    missing = !used.has(thread[i]!) && !skippable(thread[i]!);
  // What follows the thread's end is no part of it.
  while (
    echoes.at(-1)?.[0] === undefined &&
    echoes.length > 0 &&
    at > 0 &&
    history[at - 1] === echoes.at(-1)![1]
  ) {
    echoes.pop();
    at -= 1;
  }
  const rest = history.slice(at);
  return { extends: !missing, within: missing && rest.length === 0, pairs, echoes, rest };
}
