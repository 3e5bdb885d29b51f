/** Trajectories whose runs are remembered. */
const MOST_TRAJECTORIES = 64;

/** Ids of the runs of the trajectories that ended last, so that what arrives late is told from what is new. */
export class RecentRuns {
  /** By the id of the run that opened the trajectory, oldest first. */
  readonly #ended = new Map<string, ReadonlySet<string>>();

  /** True for a run that opened one of these trajectories. */
  hasRoot(id: string): boolean {
    return this.#ended.has(id);
  }

  /** True for any run of these trajectories. Looks through them all: for the rare case only. */
  has(id: string): boolean {
    for (const runs of this.#ended.values()) if (runs.has(id)) return true;
    return false;
  }

  add(rootId: string, runs: ReadonlySet<string>): void {
    this.#ended.set(rootId, runs);
    if (this.#ended.size <= MOST_TRAJECTORIES) return;
    const oldest = this.#ended.keys().next();
    if (!oldest.done) this.#ended.delete(oldest.value);
  }
}
