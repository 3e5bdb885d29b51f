/** Ids that are remembered at least; twice as many are at most. */
const REMEMBERED = 4096;

/**
 * Ids of trajectories that have ended. A host that names every run after its task would otherwise
 * write two runs under one id, and no reader could tell them apart.
 */
export class UsedIds {
  // Two generations: to take the oldest out of one map again and again costs more the longer that goes on.
  #runs = new Map<string, number>();
  #earlier = new Map<string, number>();

  add(id: string): void {
    if (!this.#runs.has(id)) this.#set(id, this.#earlier.get(id) ?? 1);
  }

  /** The id, or one made from it where it has been used. */
  fresh(id: string): string {
    const runs = this.#runs.get(id) ?? this.#earlier.get(id);
    if (runs === undefined) return id;
    this.#set(id, runs + 1);
    return `${id}.${runs + 1}`;
  }

  #set(id: string, runs: number): void {
    if (this.#runs.size >= REMEMBERED) {
      this.#earlier = this.#runs;
      this.#runs = new Map();
    }
    this.#runs.set(id, runs);
  }
}
