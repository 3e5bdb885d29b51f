import { recordBytes, type ReadableLog, type ReadableSpan } from "./export-readable.ts";

/** Most records of one batch. */
const MOST_RECORDS = 2048;

/** Where batches go: a file, or an endpoint. */
export interface BatchTarget {
  traces(spans: ReadableSpan[]): Promise<void>;
  logs(records: ReadableLog[]): Promise<void>;
}

/** Gathers records of both signals into batches bounded by number and bytes. */
export class Batches {
  readonly #target: BatchTarget;
  readonly #maxBytes: number;
  #spans: ReadableSpan[] = [];
  #spanBytes = 0;
  #logs: ReadableLog[] = [];
  #logBytes = 0;
  spans = 0;
  logs = 0;

  /** @param maxBytes a batch grows no larger; a record beyond it goes alone */
  constructor(target: BatchTarget, maxBytes: number) {
    this.#target = target;
    this.#maxBytes = maxBytes;
  }

  async span(span: ReadableSpan): Promise<void> {
    const bytes = recordBytes(span);
    if (this.#spanBytes + bytes > this.#maxBytes) await this.#flushSpans();
    this.#spans.push(span);
    this.#spanBytes += bytes;
    this.spans++;
    if (this.#spans.length >= MOST_RECORDS) await this.#flushSpans();
  }

  async log(log: ReadableLog): Promise<void> {
    const bytes = recordBytes(log);
    if (this.#logBytes + bytes > this.#maxBytes) await this.#flushLogs();
    this.#logs.push(log);
    this.#logBytes += bytes;
    this.logs++;
    if (this.#logs.length >= MOST_RECORDS) await this.#flushLogs();
  }

  async flush(): Promise<void> {
    // States first: whoever reads along has them when the spans come.
    await this.#flushLogs();
    await this.#flushSpans();
  }

  async #flushSpans(): Promise<void> {
    const spans = this.#spans;
    this.#spans = [];
    this.#spanBytes = 0;
    if (spans.length > 0) await this.#target.traces(spans);
  }

  async #flushLogs(): Promise<void> {
    const logs = this.#logs;
    this.#logs = [];
    this.#logBytes = 0;
    if (logs.length > 0) await this.#target.logs(logs);
  }
}
