const SMALL = 1 << 18;

/**
 * A byte stream seen through a window that holds as much as the reader asked for and no more than it
 * must: the unread part of the last chunk, or one whole message. Bytes handed out are only valid until
 * the window moves.
 */
export class ByteWindow {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #buffer = Buffer.allocUnsafe(SMALL);
  #start = 0;
  #end = 0;
  #consumed = 0;
  #ended = false;

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** Place of the first unread byte in the stream, counted from 0. */
  get offset(): number {
    return this.#consumed;
  }

  /** The unread bytes that are here already. */
  get unread(): Buffer {
    return this.#buffer.subarray(this.#start, this.#end);
  }

  /** Makes `count` bytes readable, fewer where the stream ends before. Returns how many there are. */
  async fill(count: number): Promise<number> {
    while (this.#end - this.#start < count && !this.#ended) await this.#more();
    return this.#end - this.#start;
  }

  /** Moves past bytes that are here. */
  consume(count: number): void {
    this.#start += count;
    this.#consumed += count;
    if (this.#start < this.#end) return;
    this.#start = this.#end = 0;
    // One huge message must not keep its memory for the rest of the file.
    if (this.#buffer.length > 4 * SMALL) this.#buffer = Buffer.allocUnsafe(SMALL);
  }

  /** Moves past bytes that may not be here yet. Returns how many there were. */
  async skip(count: number): Promise<number> {
    let left = count;
    while (left > 0) {
      const here = Math.min(left, await this.fill(1));
      if (here === 0) break;
      this.consume(here);
      left -= here;
    }
    return count - left;
  }

  /**
   * How many bytes stand before the next `byte`; `over` where more than `limit` do, `end` where none
   * comes any more. Everything looked at stays unread.
   */
  async distanceTo(byte: number, limit: number): Promise<number | "over" | "end"> {
    for (let seen = 0; ;) {
      const found = this.#buffer.subarray(this.#start + seen, this.#end).indexOf(byte);
      if (found !== -1) return seen + found > limit ? "over" : seen + found;
      seen = this.#end - this.#start;
      if (seen > limit) return "over";
      if (this.#ended) return "end";
      await this.#more();
    }
  }

  /** Moves behind the next `byte`, or to the end where none comes. Returns how many bytes were passed. */
  async skipPast(byte: number): Promise<number> {
    for (let passed = 0; ;) {
      const found = this.unread.indexOf(byte);
      const step = found === -1 ? this.#end - this.#start : found + 1;
      this.consume(step);
      passed += step;
      if (found !== -1 || (await this.fill(1)) === 0) return passed;
    }
  }

  /** Lets go of the stream, read to its end or not. */
  async close(): Promise<void> {
    this.#ended = true;
    await this.#chunks.return?.();
  }

  async #more(): Promise<void> {
    const next = await this.#chunks.next();
    if (next.done === true) {
      this.#ended = true;
      return;
    }
    const chunk = next.value;
    const unread = this.#end - this.#start;
    if (this.#end + chunk.length > this.#buffer.length) {
      const needed = unread + chunk.length;
      const room =
        needed <= this.#buffer.length
          ? this.#buffer
          : Buffer.allocUnsafe(Math.max(needed, 2 * this.#buffer.length));
      this.#buffer.copy(room, 0, this.#start, this.#end);
      this.#buffer = room;
      this.#start = 0;
      this.#end = unread;
    }
    this.#buffer.set(chunk, this.#end);
    this.#end += chunk.length;
  }
}
