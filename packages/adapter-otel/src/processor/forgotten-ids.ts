/** Ids of each of the two generations. */
const GENERATION = 1 << 17;

/**
 * Ids that are no longer remembered as such, as 32-bit hashes: at least the last 131,072, in a few
 * megabytes. It may take an id for another, in about one case of 20,000, and never misses one of those.
 */
export class ForgottenIds {
  #newer = new Set<number>();
  #older = new Set<number>();
  readonly #size: number;

  constructor(size: number = GENERATION) {
    this.#size = size;
  }

  add(id: string): void {
    if (this.#newer.size >= this.#size) {
      this.#older = this.#newer;
      this.#newer = new Set();
    }
    this.#newer.add(hashOf(id));
  }

  has(id: string): boolean {
    if (this.#newer.size === 0) return false;
    const hash = hashOf(id);
    return this.#newer.has(hash) || this.#older.has(hash);
  }
}

/** FNV-1a over UTF-16 units, with a last mixing so that ids that differ in their last digit lie far apart. */
function hashOf(id: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < id.length; i++) hash = Math.imul(hash ^ id.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return hash ^ (hash >>> 13);
}
