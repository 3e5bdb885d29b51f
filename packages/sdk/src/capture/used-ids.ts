/** Ids that are remembered; older ones are forgotten. */
const REMEMBERED = 4096;

/**
 * Ids of trajectories that have ended. A host that names every run after its task would otherwise
 * write two runs under one id, and no reader could tell them apart.
 */
export class UsedIds {
  readonly #runs = new Map<string, number>();

  add(id: string): void {
    if (this.#runs.has(id)) return;
    for (const oldest of this.#runs.keys()) {
      if (this.#runs.size < REMEMBERED) break;
      this.#runs.delete(oldest);
    }
    this.#runs.set(id, 1);
  }

  /** The id, or one made from it where it has been used. */
  fresh(id: string): string {
    const runs = this.#runs.get(id);
    if (runs === undefined) return id;
    this.#runs.set(id, runs + 1);
    return `${id}.${runs + 1}`;
  }
}
