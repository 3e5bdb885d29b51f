import { randomUUID } from "node:crypto";
import { closeSync, fdatasyncSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from "node:fs";
import { nameError } from "./processor-error.ts";

/** Bytes of a torn last line that are read back to judge it. A longer tail is left alone. */
const LONGEST_TAIL = 64 << 20;
const LINE_FEED = 0x0a;
const CANNOT_SYNC = new Set(["EINVAL", "ENOTSUP", "EROFS"]);

/** One word a process, so that `{rand}` names one file in all its processors. */
const processWord = randomUUID().slice(0, 4);

/** Open files by path: two processors of one process that name the same file share it. */
const openFiles = new Map<string, RecordFile>();

/**
 * A file that only grows, one write a line, opened with its first. It never throws: a failure stops it
 * for good and is kept in words.
 */
export class RecordFile {
  readonly #path: string;
  #fd: number | undefined;
  #users = 0;
  #stopped = false;
  #failure: string | undefined;
  #torn: string | undefined;

  private constructor(path: string) {
    this.#path = path;
  }

  /** The file of that path, `{pid}` and `{rand}` filled in, shared within the process. */
  static of(pattern: string): RecordFile {
    const path = pattern.replaceAll("{pid}", String(process.pid)).replaceAll("{rand}", processWord);
    let file = openFiles.get(path);
    if (file === undefined) openFiles.set(path, (file = new RecordFile(path)));
    file.#users++;
    return file;
  }

  /** Why it has stopped. */
  get failure(): string | undefined {
    return this.#failure;
  }

  /** What was cut off when it was opened; said once. */
  takeTorn(): string | undefined {
    const torn = this.#torn;
    this.#torn = undefined;
    return torn;
  }

  /** Appends a line, given in pieces and with its line feed; false where it is lost. */
  append(pieces: readonly string[]): boolean {
    if (this.#stopped) return false;
    try {
      this.#fd ??= this.#open();
      writeLine(this.#fd, pieces);
      return true;
    } catch (error) {
      this.#stop(error);
      return false;
    }
  }

  /** Asks the system to bring what was written to the disk. */
  sync(): void {
    if (this.#stopped || this.#fd === undefined) return;
    try {
      fdatasyncSync(this.#fd);
    } catch (error) {
      // What cannot be synced, such as a pipe, was asked for in vain but loses nothing.
      if (!CANNOT_SYNC.has((error as NodeJS.ErrnoException).code ?? "")) this.#stop(error);
    }
  }

  /** Gives the file up; the last user closes it. */
  release(): void {
    if (--this.#users > 0) return;
    if (openFiles.get(this.#path) === this) openFiles.delete(this.#path);
    this.#stopped = true;
    this.#close();
  }

  #open(): number {
    const fd = openSync(this.#path, "a+");
    this.#torn = mendEnd(fd, this.#path);
    return fd;
  }

  #stop(error: unknown): void {
    this.#stopped = true;
    this.#close();
    this.#failure = `cannot write ${this.#path}: ${nameError(error)}. The span processor has stopped; the run goes on.`;
  }

  #close(): void {
    const fd = this.#fd;
    this.#fd = undefined;
    try {
      if (fd !== undefined) closeSync(fd);
    } catch {
      // It is given up either way.
    }
  }
}

/** The line that is being written: writing is synchronous, so one buffer serves all files. */
const buffer = Buffer.allocUnsafeSlow(1 << 17);

/** Pieces are not put together first: a state would be copied once more for it. */
function writeLine(fd: number, pieces: readonly string[]): void {
  let units = 0;
  for (const piece of pieces) units += piece.length;
  // UTF-8 takes at most three bytes for a UTF-16 unit.
  if (units * 3 > buffer.length) {
    const bytes = Buffer.from(pieces.join(""));
    return writeAll(fd, bytes, bytes.length);
  }
  let length = 0;
  for (const piece of pieces) length += buffer.write(piece, length);
  writeAll(fd, buffer, length);
}

function writeAll(fd: number, bytes: Buffer, length: number): void {
  // One write as a rule. A short one is gone on with: readers see a torn line for that moment only.
  for (let done = 0; done < length;) {
    const count = writeSync(fd, bytes, done, length - done);
    if (count === 0) throw new Error("nothing written");
    done += count;
  }
}

/**
 * What a killed process left of its last line would be an error to every reader once it stands
 * within the file: it is cut off. A whole last line that only lacks its line feed gets one.
 *
 * @returns what was cut off, in words
 */
function mendEnd(fd: number, path: string): string | undefined {
  const stats = fstatSync(fd);
  if (!stats.isFile() || stats.size === 0) return undefined;
  const tail = readTail(fd, stats.size);
  if (tail === undefined || tail.length === 0) return undefined;
  // Still growing: another process is in the middle of its line.
  if (fstatSync(fd).size !== stats.size) return undefined;
  if (isJson(tail)) {
    writeSync(fd, "\n");
    return undefined;
  }
  ftruncateSync(fd, stats.size - tail.length);
  return `${path}: cut off a torn last line of ${tail.length} bytes before adding to the file.`;
}

/** The bytes behind the last line feed, or undefined where they are too many. */
function readTail(fd: number, size: number): Buffer | undefined {
  for (let length = 1 << 12; ; length *= 16) {
    const bytes = Buffer.alloc(Math.min(length, size));
    readSync(fd, bytes, 0, bytes.length, size - bytes.length);
    const found = bytes.lastIndexOf(LINE_FEED);
    if (found !== -1 || bytes.length === size) return bytes.subarray(found + 1);
    if (length >= LONGEST_TAIL) return undefined;
  }
}

function isJson(bytes: Buffer): boolean {
  try {
    JSON.parse(bytes.toString("utf8"));
    return true;
  } catch {
    return false;
  }
}
