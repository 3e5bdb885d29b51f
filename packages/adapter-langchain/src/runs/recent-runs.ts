const MOST_RUNS = 4096;

/** Ids of the runs that ended last, so that what arrives late is told from what is new. */
export class RecentRuns {
  #newer = new Set<string>();
  #older = new Set<string>();

  has(id: string): boolean {
    return this.#newer.has(id) || this.#older.has(id);
  }

  add(id: string): void {
    this.#newer.add(id);
    if (this.#newer.size < MOST_RUNS) return;
    // Two halves that change places: forgetting the oldest one by one would cost more than it is worth.
    this.#older = this.#newer;
    this.#newer = new Set();
  }
}
