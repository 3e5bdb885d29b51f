import { InvalidRecordError } from "../errors/index.ts";

/** One line without its line feed. The bytes are only valid until the next chunk is split. */
export interface RawLine {
  readonly bytes: Buffer;
  /** 1-based. */
  readonly line: number;
  /** False for a last line that has no line feed. */
  readonly terminated: boolean;
}

const LINE_FEED = 0x0a;

/**
 * Cuts chunks of bytes into lines at the byte 0x0A and nowhere else: U+2028, U+0085 and a bare
 * carriage return are text. Where the chunks are cut makes no difference.
 */
export class LineSplitter {
  readonly #source: string;
  readonly #limit: number;
  /** The beginning of a line whose end has not come yet. */
  #rest = Buffer.alloc(0);
  #restLength = 0;
  #line = 1;

  constructor(source: string, limit: number) {
    this.#source = source;
    this.#limit = limit;
  }

  /** The lines that end in this chunk. */
  push(chunk: Uint8Array): RawLine[] {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    const lines: RawLine[] = [];
    let start = 0;
    for (let end = bytes.indexOf(LINE_FEED); end !== -1; end = bytes.indexOf(LINE_FEED, start)) {
      let line = bytes.subarray(start, end);
      if (this.#restLength > 0) {
        this.#keep(line);
        line = this.#rest.subarray(0, this.#restLength);
        // The line handed out keeps this buffer; what follows goes into another.
        this.#rest = Buffer.alloc(0);
        this.#restLength = 0;
      }
      lines.push(this.#take(line, true));
      start = end + 1;
    }
    if (start < bytes.length) this.#keep(bytes.subarray(start));
    return lines;
  }

  /** What is left when there are no more chunks. */
  end(): RawLine | undefined {
    if (this.#restLength === 0) return undefined;
    return this.#take(this.#rest.subarray(0, this.#restLength), false);
  }

  #take(bytes: Buffer, terminated: boolean): RawLine {
    this.#check(bytes.length);
    return { bytes, line: this.#line++, terminated };
  }

  #keep(part: Buffer): void {
    const length = this.#restLength + part.length;
    this.#check(length);
    if (length > this.#rest.length) {
      const grown = Buffer.allocUnsafe(Math.min(Math.max(length, 2 * this.#rest.length), this.#limit));
      this.#rest.copy(grown, 0, 0, this.#restLength);
      this.#rest = grown;
    }
    part.copy(this.#rest, this.#restLength);
    this.#restLength = length;
  }

  #check(length: number): void {
    if (length <= this.#limit) return;
    throw new InvalidRecordError(
      { source: this.#source, line: this.#line },
      "",
      `the line is longer than ${this.#limit} bytes. Check that records end with a line feed, or raise the line limit.`,
    );
  }
}
