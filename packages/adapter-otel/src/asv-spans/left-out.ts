/** Counts, by name, what an export leaves behind. */
export class LeftOut {
  readonly #counts = new Map<string, number>();

  add(name: string, count = 1): void {
    if (count > 0) this.#counts.set(name, (this.#counts.get(name) ?? 0) + count);
  }

  /** Names in the order of their first appearance. */
  get counts(): ReadonlyMap<string, number> {
    return this.#counts;
  }
}
