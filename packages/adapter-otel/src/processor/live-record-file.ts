import { encodeLiveRecord, type LiveRecord } from "@agent-step-value/sdk";
import type { ReportDesk } from "./processor-report.ts";
import { RecordFile } from "./record-file.ts";

/** Live records into a file; what goes wrong with it is told once. */
export class LiveRecordFile {
  readonly #file: RecordFile;
  readonly #desk: ReportDesk;

  constructor(path: string, desk: ReportDesk) {
    this.#file = RecordFile.of(path);
    this.#desk = desk;
  }

  /** False where the record is lost. */
  write(record: LiveRecord): boolean {
    return this.append([JSON.stringify(encodeLiveRecord(record)), "\n"]);
  }

  /** @param pieces a line in pieces, its line feed the last */
  append(pieces: readonly string[]): boolean {
    const written = this.#file.append(pieces);
    const torn = this.#file.takeTorn();
    if (torn !== undefined) this.#desk.tell("torn_line", torn);
    if (!written) this.#tellFailure();
    return written;
  }

  sync(): void {
    this.#file.sync();
    this.#tellFailure();
  }

  release(): void {
    this.#file.release();
  }

  #tellFailure(): void {
    const { failure } = this.#file;
    if (failure !== undefined) this.#desk.tell("file_failed", failure);
  }
}
