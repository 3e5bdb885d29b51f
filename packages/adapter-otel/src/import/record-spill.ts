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
const HEADER = 33;

/**
 * Keeps records until all are known, those of one trajectory or trace close together: in memory while they
 * are few, else in a temporary file, a bucket of groups after the other. However many records
 * there are, only one bucket's headers are ever looked at at once.
 */
export class RecordSpill {
  readonly #file: TemporaryFile;
  readonly #memoryLimit: number;
  readonly #buckets: Buffer[][] = Array.from({ length: BUCKETS }, () => []);
  readonly #stretches: [start: number, length: number][][] = Array.from({ length: BUCKETS }, () => []);
  #held = 0;
  #memory: Buffer | undefined;

  constructor(memoryLimit: number, directory: string | undefined) {
    this.#memoryLimit = memoryLimit;
    this.#file = new TemporaryFile(directory);
  }

  /** Bytes written to the temporary file. */
  get spilled(): number {
    return this.#file.size;
  }

  /** @param key id of the trajectory or trace */
  add(key: string, header: Omit<RecordHeader, "group">, payload: string): void {
    const length = Buffer.byteLength(payload);
    const record = Buffer.allocUnsafe(HEADER + length);
    record.writeUInt32LE(length, 0);
    record.writeUInt8(header.kind, 4);
    record.writeUInt32LE(textHash(key, 7), 5);
    record.writeDoubleLE(header.span, 9);
    record.writeDoubleLE(header.parent, 17);
    record.writeDoubleLE(header.start, 25);
    record.write(payload, HEADER);
    this.#buckets[textHash(key) % BUCKETS]!.push(record);
    this.#held += record.length;
    if (this.#held > this.#memoryLimit) this.#flush();
  }

  /** After the last record: buckets to read, each with whole groups. One alone where all are in memory. */
  *buckets(): Generator<SpillBucket> {
    if (this.#file.size === 0) {
      this.#memory = Buffer.concat(this.#buckets.flat());
      for (const bucket of this.#buckets) bucket.length = 0;
      yield new SpillBucket([[0, this.#memory.length]], this);
      return;
    }
    this.#flush();
    for (const stretches of this.#stretches) if (stretches.length > 0) yield new SpillBucket(stretches, this);
  }

  read(start: number, length: number): Buffer {
    return this.#memory?.subarray(start, start + length) ?? this.#file.read(start, length);
  }

  close(): void {
    this.#file.close();
    this.#memory = undefined;
  }

  #flush(): void {
    let start = this.#file.append(Buffer.concat(this.#buckets.flat(), this.#held));
    for (const [number, bucket] of this.#buckets.entries()) {
      const length = bucket.reduce((sum, record) => sum + record.length, 0);
      if (length > 0) this.#stretches[number]!.push([start, length]);
      start += length;
      bucket.length = 0;
    }
    this.#held = 0;
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
