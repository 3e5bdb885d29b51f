import { InvalidArgumentError } from "../errors/index.ts";
import { AppendFile } from "./jsonl-sink-file.ts";
import { recordLine, stepLine } from "./jsonl-sink-line.ts";
import { liveCloseRecord } from "./live-step-record.ts";
import type { OpenEvent, ReportProblem, Sink, StepSink, TrajectorySink } from "./sink.ts";
import { newNonce } from "./trajectory-id.ts";

export interface JsonlSinkOptions {
  /**
   * When the system is asked to bring records to the disk. `never` (default): a killed process loses
   * nothing, a power cut may lose the last seconds. `trajectory`: at the end of each trajectory, and
   * when the recorder is flushed.
   */
  fsync?: "trajectory" | "never";
}

/** One word a process, so that `{rand}` names one file in all its recorders. */
const processNonce = newNonce();

/**
 * Appends ASV live records to a JSONL file: one write a record, as it happens, so that a killed
 * process leaves every finished step.
 *
 * The file is created with its first record. Recorders of one process that name the same path share
 * it. Give every process a file of its own where several write at once: `{pid}` in the path becomes
 * the process id and `{rand}` four random hex digits, as in `runs.{pid}-{rand}.jsonl`; readers take
 * many files. What a killed process left of its last line is cut off before anything is appended.
 *
 * A file that cannot be opened or written (missing folder, disk full) stops this sink with one error
 * to the recorder's `onError`; the host runs on and the steps count as dropped.
 *
 * @throws {InvalidArgumentError} for an empty path or an unknown option value
 */
export function jsonlSink(path: string, options: JsonlSinkOptions = {}): Sink {
  if (typeof path !== "string" || path === "") throw new InvalidArgumentError("path", "a file path", path);
  const fsync = options.fsync ?? "never";
  if (fsync !== "never" && fsync !== "trajectory") {
    throw new InvalidArgumentError("fsync", '"trajectory" or "never"', fsync);
  }
  return new JsonlSink(fillIn(path), fsync === "trajectory");
}

class JsonlSink implements Sink {
  readonly name = "jsonl";
  readonly keepsStates = true;
  readonly #path: string;
  readonly #fsync: boolean;
  #file: AppendFile | undefined;
  #shut = false;
  #told = false;

  constructor(path: string, fsync: boolean) {
    this.#path = path;
    this.#fsync = fsync;
  }

  open({ record, resumed }: OpenEvent, report: ReportProblem): TrajectorySink | "lost" {
    if (!resumed && !this.#append(recordLine(record), report)) return "lost";
    const step: StepSink = { end: (end) => this.#append(stepLine(end), report) };
    return {
      begin: () => step,
      close: (close) => {
        this.#append(recordLine(liveCloseRecord(close)), report);
        if (this.#fsync) this.#sync(report);
      },
    };
  }

  /** Records are written as they happen; there is only the disk to wait for. */
  flush(report: ReportProblem): void {
    if (this.#fsync) this.#sync(report);
  }

  shutdown(): void {
    if (this.#shut) return;
    this.#shut = true;
    this.#file?.release();
  }

  #append(line: string, report: ReportProblem): boolean {
    if (this.#shut) return false;
    this.#file ??= AppendFile.of(this.#path);
    const written = this.#file.append(line);
    const torn = this.#file.takeTorn();
    if (torn !== undefined) report("torn_line", torn);
    if (!written) this.#tellFailure(report);
    return written;
  }

  #sync(report: ReportProblem): void {
    if (this.#shut) return;
    this.#file?.sync();
    this.#tellFailure(report);
  }

  #tellFailure(report: ReportProblem): void {
    const failure = this.#file?.failure;
    if (failure === undefined || this.#told) return;
    this.#told = true;
    report("file_failed", failure);
  }
}

function fillIn(path: string): string {
  const pid = globalThis.process?.pid;
  return path.replaceAll("{pid}", String(pid ?? 0)).replaceAll("{rand}", processNonce);
}
