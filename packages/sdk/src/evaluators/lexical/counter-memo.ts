import { buildTermTable, type TermTable } from "./candidate-terms.ts";
import { StateCounter } from "./state-counter.ts";

/** A candidate set laid out once, with the memory of the states it was asked about. */
export interface SetCounter {
  table: TermTable;
  states: StateCounter;
}

/** How many candidate sets are remembered; more than a scorer works on at once. */
const SET_LIMIT = 64;

/**
 * One {@link SetCounter} a candidate set, least recently used first out once there are more than 64
 * or all of them together hold more than `limitBytes`. A single set above the limit forgets its
 * blocks and goes on.
 */
export class CounterMemo {
  readonly #limitBytes: number;
  readonly #onTokenise: (characters: number) => void;
  readonly #sets = new Map<string, SetCounter>();

  constructor(limitBytes: number, onTokenise: (characters: number) => void) {
    this.#limitBytes = limitBytes;
    this.#onTokenise = onTokenise;
  }

  /** The counter of a set, made where it is new, and now the most recently used. */
  get(texts: readonly string[]): SetCounter {
    const key = JSON.stringify(texts);
    let set = this.#sets.get(key);
    if (set === undefined) {
      const table = buildTermTable(texts);
      set = { table, states: new StateCounter(table, this.#onTokenise) };
    } else {
      this.#sets.delete(key);
    }
    this.#sets.set(key, set);
    this.#trim(set);
    return set;
  }

  #trim(current: SetCounter): void {
    let total = 0;
    for (const { states } of this.#sets.values()) total += states.bytes;
    for (const [key, set] of this.#sets) {
      if (total <= this.#limitBytes && this.#sets.size <= SET_LIMIT) return;
      if (set === current) break;
      total -= set.states.bytes;
      this.#sets.delete(key);
    }
    if (total > this.#limitBytes) current.states.forget();
  }
}
