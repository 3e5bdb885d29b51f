import type { Entry } from "./entry.ts";
import type { PlannedStep } from "./planned-step.ts";
import type { SpanNode } from "./span-node.ts";

/** One conversation with a model within a run: what its calls were given and gave, in order. */
export interface Thread {
  /** The agent or tool the conversation belongs to. */
  readonly scope: SpanNode | undefined;
  entries: Entry[];
  /** Calls that were asked for and not answered yet. */
  pending: Entry[];
  /** The model call that spoke last. */
  last: PlannedStep | undefined;
  /** True while nothing came after what it said. */
  speaking: boolean;
}

/** Threads that are looked through for one that a history continues. */
const LOOKED_AT = 16;

/** The conversations of one run. */
export class ThreadBook {
  readonly #threads: Thread[] = [];
  readonly #byScope = new Map<SpanNode | undefined, Thread>();
  readonly #pendingById = new Map<string, Thread>();

  open(scope: SpanNode | undefined): Thread {
    const thread: Thread = { scope, entries: [], pending: [], last: undefined, speaking: false };
    this.#threads.push(thread);
    this.#byScope.set(scope, thread);
    return thread;
  }

  /** The conversation an agent or tool had last. */
  of(scope: SpanNode | undefined): Thread | undefined {
    return this.#byScope.get(scope);
  }

  /** The scope's own conversation first, then the others, newest first. */
  recent(scope: SpanNode | undefined): Thread[] {
    const own = this.of(scope);
    const others = this.#threads.slice(-LOOKED_AT).toReversed();
    return own === undefined ? others : [own, ...others.filter((thread) => thread !== own)];
  }

  /** Notes that a thread goes on in a scope: LangGraph gives every turn of a node a span of its own. */
  continues(scope: SpanNode | undefined, thread: Thread): void {
    this.#byScope.set(scope, thread);
  }

  ask(thread: Thread, call: Entry): void {
    thread.pending.push(call);
    if (call.id !== undefined) this.#pendingById.set(call.id, thread);
  }

  /** True while a call of the name is waited for. */
  awaits(name: string): boolean {
    return this.#threads.slice(-LOOKED_AT).some(({ pending }) => pending.some((call) => call.name === name));
  }

  /**
   * Takes the pending call that a tool answers: by id, else by name and arguments, else the oldest of
   * its name.
   */
  answer(
    asked: {
      readonly id: string | undefined;
      readonly name: string | undefined;
      readonly args: string | undefined;
    },
    scope: SpanNode | undefined,
  ): { thread: Thread; call: Entry } | undefined {
    if (asked.id !== undefined) {
      const thread = this.#pendingById.get(asked.id);
      const call = thread?.pending.findLast(({ id }) => id === asked.id);
      if (thread !== undefined && call !== undefined) return this.#take(thread, call);
    }
    const alike = ({ id, name }: Entry): boolean =>
      name === asked.name && (id === undefined || asked.id === undefined || id === asked.id);
    const threads = this.recent(scope);
    for (const exact of [true, false]) {
      for (const thread of threads) {
        const call = thread.pending.find(
          (entry) => alike(entry) && (!exact || sameArgs(entry.text, asked.args)),
        );
        if (call !== undefined) return this.#take(thread, call);
      }
    }
    return undefined;
  }

  /** The only call a thread waits for, for a result without id and name. */
  answerOnly(thread: Thread): Entry | undefined {
    const [only] = thread.pending;
    return thread.pending.length === 1 && only !== undefined ? this.#take(thread, only).call : undefined;
  }

  #take(thread: Thread, call: Entry): { thread: Thread; call: Entry } {
    thread.pending.splice(thread.pending.indexOf(call), 1);
    return { thread, call };
  }
}

/** Arguments written by two hands: equal without blanks, or the value alone (`{"query": "x"}` and `x`). */
function sameArgs(known: string | undefined, given: string | undefined): boolean {
  if (known === undefined || given === undefined) return false;
  const bare = (text: string): string => text.replaceAll(/\s+/g, "");
  const [a, b] = [bare(known), bare(given)];
  return a === b || (a.startsWith('{"') && a.endsWith(`:${JSON.stringify(b)}}`));
}
