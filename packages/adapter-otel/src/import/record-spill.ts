import { TemporaryFile } from "./temporary-file.ts";
import { textHash } from "./text-hash.ts";

/** What a spilled record is. */
export const RECORD = {
  /** A span of the `asv.*` set, grouped by its trajectory. */
  native: 0,
  /** Spans and log records of other instrumentations, grouped by their trace. */
  foreign: 1,
  /** A span without content that may be the parent of one with it. */
  plumbing: 2,
  log: 3,
  /** Says that a trace holds spans of the `asv.*` set. */
  nativeTrace: 4,
} as const;

export type RecordKind = (typeof RECORD)[keyof typeof RECORD];

/** What is known of a record without reading it. */
export interface RecordHeader {
  readonly kind: RecordKind;
  /** Records of one trajectory or trace have the same; those of two hardly ever. */
  readonly group: number;
  /** Hashes of the ids of the span and of its parent; 0 for none. */
  readonly span: number;
  readonly parent: number;
  /** Nanoseconds since 1970 to the nearest double. */
  readonly start: number;
}

/** A header and where its record is. */
export interface SpilledRecord extends RecordHeader {
  readonly at: number;
  readonly length: number;
}

const BUCKETS = 1024;
const HEADER = 35;
const FIRST_SIZE = 1 << 20;

/**
 * Keeps records until all are known, those of one trajectory or trace close together: in memory while they
 * are few, else in a temporary file, a bucket of groups after the other. However many records
 * there are, only one bucket's headers are ever looked at at once.
 *
 * In memory the records lie one behind the other in one piece of it: millions of small buffers would take
 * several times their content.
 */
export class RecordSpill {
  readonly #file: TemporaryFile;
  readonly #memoryLimit: number;
  readonly #stretches: [start: number, length: number][][] = Array.from({ length: BUCKETS }, () => []);
  #held: Buffer;
  #length = 0;

  constructor(memoryLimit: number, directory: string | undefined) {
    this.#memoryLimit = memoryLimit;
    this.#file = new TemporaryFile(directory);
    this.#held = Buffer.allocUnsafeSlow(Math.min(FIRST_SIZE, memoryLimit));
  }

  /** Bytes written to the temporary file. */
  get spilled(): number {
    return this.#file.size;
  }

  /** @param key id of the trajectory or trace */
  add(key: string, header: Omit<RecordHeader, "group">, payload: string): void {
    const length = Buffer.byteLength(payload);
    this.#makeRoom(HEADER + length);
    const held = this.#held;
    const at = this.#length;
    held.writeUInt32LE(length, at);
    held.writeUInt8(header.kind, at + 4);
    held.writeUInt32LE(textHash(key, 7), at + 5);
    held.writeDoubleLE(header.span, at + 9);
    held.writeDoubleLE(header.parent, at + 17);
    held.writeDoubleLE(header.start, at + 25);
    held.writeUInt16LE(textHash(key) % BUCKETS, at + 33);
    held.write(payload, at + HEADER);
    this.#length += HEADER + length;
  }

  /** After the last record: buckets to read, each with whole groups. One alone where all are in memory. */
  *buckets(): Generator<SpillBucket> {
    if (this.#file.size === 0) {
      yield new SpillBucket([[0, this.#length]], this);
      return;
    }
    this.#flush();
    this.#held = Buffer.alloc(0);
    for (const stretches of this.#stretches) if (stretches.length > 0) yield new SpillBucket(stretches, this);
  }

  read(start: number, length: number): Buffer {
    if (this.#file.size === 0) return this.#held.subarray(start, start + length);
    return this.#file.read(start, length);
  }

  close(): void {
    this.#file.close();
    this.#held = Buffer.alloc(0);
    this.#length = 0;
  }

  #makeRoom(size: number): void {
    if (this.#length > 0 && this.#length + size > this.#memoryLimit) this.#flush();
    const needed = this.#length + size;
    if (needed <= this.#held.length) return;
    const most = Math.max(needed, this.#memoryLimit);
    const grown = Buffer.allocUnsafeSlow(Math.min(most, Math.max(needed, 2 * this.#held.length)));
    this.#held.copy(grown, 0, 0, this.#length);
    this.#held = grown;
  }

  /** Writes what is held in order of buckets. */
  #flush(): void {
    const lengths = new Float64Array(BUCKETS);
    for (const { bucket, length } of this.#heldRecords()) lengths[bucket]! += length;
    const places = new Float64Array(BUCKETS);
    for (let bucket = 1; bucket < BUCKETS; bucket++) {
      places[bucket] = places[bucket - 1]! + lengths[bucket - 1]!;
    }
    const sorted = Buffer.allocUnsafeSlow(this.#length);
    for (const { bucket, at, length } of this.#heldRecords()) {
      this.#held.copy(sorted, places[bucket]!, at, at + length);
      places[bucket]! += length;
    }
    const start = this.#file.append(sorted);
    for (const [bucket, length] of lengths.entries()) {
      if (length > 0) this.#stretches[bucket]!.push([start + places[bucket]! - length, length]);
    }
    this.#length = 0;
  }

  *#heldRecords(): Generator<{ bucket: number; at: number; length: number }> {
    for (let at = 0; at < this.#length;) {
      const length = HEADER + this.#held.readUInt32LE(at);
      yield { bucket: this.#held.readUInt16LE(at + 33), at, length };
      at += length;
    }
  }
}

/** A part of the records that holds whole groups. */
export class SpillBucket {
  readonly #stretches: readonly (readonly [start: number, length: number])[];
  readonly #spill: RecordSpill;

  constructor(stretches: readonly (readonly [number, number])[], spill: RecordSpill) {
    this.#stretches = stretches;
    this.#spill = spill;
  }

  *records(): Generator<SpilledRecord> {
    for (const [start, size] of this.#stretches) {
      const bytes = this.#spill.read(start, size);
      for (let at = 0; at < size;) {
        const length = bytes.readUInt32LE(at);
        yield {
          kind: bytes.readUInt8(at + 4) as RecordKind,
          group: bytes.readUInt32LE(at + 5),
          span: bytes.readDoubleLE(at + 9),
          parent: bytes.readDoubleLE(at + 17),
          start: bytes.readDoubleLE(at + 25),
          at: start + at + HEADER,
          length,
        };
        at += HEADER + length;
      }
    }
  }

  payload({ at, length }: { readonly at: number; readonly length: number }): string {
    return this.#spill.read(at, length).toString("utf8");
  }
}
