/** Where a text of a digest is kept. */
export interface Kept {
  readonly at: number;
  readonly length: number;
}

/**
 * SHA-256 digests and where their texts are, in flat arrays: 28 bytes an entry before spare room, where a
 * Map of strings takes five times as much. Half of a digest is the key.
 */
export class DigestIndex {
  #keys = new Uint32Array(4 << 10);
  #places = new Float64Array(1 << 10);
  #lengths = new Uint32Array(1 << 10);
  #used = 0;

  get size(): number {
    return this.#used;
  }

  get(sha256: string): Kept | undefined {
    const slot = this.#slotOf(words(sha256));
    const length = this.#lengths[slot]!;
    return length === 0 ? undefined : { at: this.#places[slot]!, length };
  }

  /** @param kept never empty */
  set(sha256: string, { at, length }: Kept): void {
    if (2 * this.#used >= this.#lengths.length) this.#grow();
    this.#put(words(sha256), at, length);
  }

  #put(key: readonly number[], at: number, length: number): void {
    const slot = this.#slotOf(key);
    if (this.#lengths[slot] === 0) this.#used++;
    this.#keys.set(key, 4 * slot);
    this.#places[slot] = at;
    this.#lengths[slot] = length;
  }

  #slotOf(key: readonly number[]): number {
    const mask = this.#lengths.length - 1;
    for (let slot = key[0]! & mask; ; slot = (slot + 1) & mask) {
      if (this.#lengths[slot] === 0) return slot;
      const at = 4 * slot;
      if (key.every((word, i) => this.#keys[at + i] === word)) return slot;
    }
  }

  #grow(): void {
    const [keys, places, lengths] = [this.#keys, this.#places, this.#lengths];
    const size = 2 * lengths.length;
    this.#keys = new Uint32Array(4 * size);
    this.#places = new Float64Array(size);
    this.#lengths = new Uint32Array(size);
    this.#used = 0;
    for (let slot = 0; slot < lengths.length; slot++) {
      const length = lengths[slot]!;
      if (length > 0) this.#put([...keys.subarray(4 * slot, 4 * slot + 4)], places[slot]!, length);
    }
  }
}

function words(sha256: string): number[] {
  return [0, 8, 16, 24].map((at) => Number.parseInt(sha256.slice(at, at + 8), 16));
}
