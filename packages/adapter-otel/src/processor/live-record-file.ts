import { randomUUID } from "node:crypto";
import { encodeLiveRecord, type LiveRecord } from "@agent-step-value/sdk";
import { AppendFile } from "@agent-step-value/sdk/capture";
import type { ReportDesk } from "./processor-report.ts";

/**
 * One word a process, so that `{rand}` names one file in all its processors. Not the recorder's: given the same path
 * as a recorder, a processor writes to another file, since two accounts of one run in a file are an error to readers.
 */
const processWord = randomUUID().slice(0, 4);

/** Live records into a file; what goes wrong with it is told once. */
export class LiveRecordFile {
  readonly #file: AppendFile;
  readonly #desk: ReportDesk;

  /** @param pattern a path, in which `{pid}` and `{rand}` are filled in */
  constructor(pattern: string, desk: ReportDesk) {
    const path = pattern.replaceAll("{pid}", String(process.pid)).replaceAll("{rand}", processWord);
    this.#file = AppendFile.of(path);
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
