import type * as NodeFs from "node:fs";
import { nameError } from "./capture-error.ts";

type Fs = typeof NodeFs;

/** Bytes of a torn last line that are read back to judge it. A longer tail is left alone. */
const LONGEST_TAIL = 64 << 20;
const LINE_FEED = 0x0a;
const CANNOT_SYNC = new Set(["EINVAL", "ENOTSUP", "EROFS"]);

/** Open files by path: two recorders of one process that name the same file share it. */
const openFiles = new Map<string, AppendFile>();

/**
 * Node's file system, got without an import: the capture entry must load in runtimes that have none,
 * where spans are all it can write.
 */
function nodeFs(): Fs | undefined {
  return globalThis.process?.getBuiltinModule?.("node:fs");
}

/** Longest line, in bytes, that is put together in the shared buffer. */
const BUFFER_BYTES = 1 << 17;

/** The line that is being written: writing is synchronous, so one buffer serves all files. */
let buffer: Buffer | undefined;

/**
 * A JSONL file that is written while a host runs: it only grows, by one synchronous write a line, so that a killed
 * process leaves every line that was appended. It is opened with its first line; what a killed process left of the
 * last one is cut off then, and a whole last line that lacks its line feed gets one.
 *
 * It never throws. A failure (missing folder, disk full, a runtime without files) closes it for good and is kept in
 * words: {@link AppendFile.failure}. All users of one path within a process share one open file.
 */
export class AppendFile {
  readonly #path: string;
  #fs: Fs | undefined;
  #fd: number | undefined;
  #users = 0;
  #stopped = false;
  #failure: string | undefined;
  #torn: string | undefined;

  private constructor(path: string) {
    this.#path = path;
  }

  /** The file of that path, taken as it is; each call counts as a user, who gives it up with {@link AppendFile.release}. */
  static of(path: string): AppendFile {
    let file = openFiles.get(path);
    if (file === undefined) openFiles.set(path, (file = new AppendFile(path)));
    file.#users++;
    return file;
  }

  /** Why it has stopped, in a sentence that quotes no content; undefined while it has not. */
  get failure(): string | undefined {
    return this.#failure;
  }

  /** What was cut off when it was opened, in words; said once, undefined from then on. */
  takeTorn(): string | undefined {
    const torn = this.#torn;
    this.#torn = undefined;
    return torn;
  }

  /**
   * Appends a line.
   *
   * @param line the line with its line feed, whole or in pieces, which saves a long state one more copy
   * @returns false where it is lost
   */
  append(line: string | readonly string[]): boolean {
    if (this.#stopped) return false;
    try {
      this.#fd ??= this.#open();
      this.#write(lineBytes(typeof line === "string" ? [line] : line));
      return true;
    } catch (error) {
      this.#stop(error);
      return false;
    }
  }

  /** Asks the system to bring what was written to the disk (`fdatasync`). */
  sync(): void {
    if (this.#stopped || this.#fd === undefined) return;
    try {
      this.#fs!.fdatasyncSync(this.#fd);
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
    this.#fs = nodeFs();
    if (this.#fs === undefined) throw new Error("no file system");
    const fd = this.#fs.openSync(this.#path, "a+");
    this.#torn = mendEnd(this.#fs, fd, this.#path);
    return fd;
  }

  #write(bytes: Buffer): void {
    let written = 0;
    // One write as a rule. A short one is gone on with: readers see a torn line for that moment only.
    while (written < bytes.length) {
      const count = this.#fs!.writeSync(this.#fd!, bytes, written);
      if (count === 0) throw new Error("nothing written");
      written += count;
    }
  }

  #stop(error: unknown): void {
    this.#stopped = true;
    this.#close();
    const why = this.#fs === undefined ? "this runtime has no file system" : nameError(error);
    this.#failure = `cannot write ${this.#path}: ${why}. Capture to this file has stopped; the run goes on.`;
  }

  #close(): void {
    const fd = this.#fd;
    this.#fd = undefined;
    try {
      if (fd !== undefined) this.#fs!.closeSync(fd);
    } catch {
      // It is given up either way.
    }
  }
}

/** The bytes of a line, valid until the next one. */
function lineBytes(pieces: readonly string[]): Buffer {
  let units = 0;
  for (const piece of pieces) units += piece.length;
  // UTF-8 takes at most three bytes for a UTF-16 unit.
  if (units * 3 > BUFFER_BYTES) return Buffer.from(pieces.length === 1 ? pieces[0]! : pieces.join(""));
  buffer ??= Buffer.allocUnsafeSlow(BUFFER_BYTES);
  let length = 0;
  for (const piece of pieces) length += buffer.write(piece, length);
  return buffer.subarray(0, length);
}

/**
 * What a killed process left of its last line would be an error to every reader once it stands
 * within the file: it is cut off. A whole last line that only lacks its line feed gets one.
 *
 * @returns what was cut off, in words
 */
function mendEnd(fs: Fs, fd: number, path: string): string | undefined {
  const stats = fs.fstatSync(fd);
  if (!stats.isFile() || stats.size === 0) return undefined;
  const tail = readTail(fs, fd, stats.size);
  if (tail === undefined || tail.length === 0) return undefined;
  // Still growing: another process is in the middle of its line.
  if (fs.fstatSync(fd).size !== stats.size) return undefined;
  if (isJson(tail)) {
    fs.writeSync(fd, "\n");
    return undefined;
  }
  fs.ftruncateSync(fd, stats.size - tail.length);
  return `${path}: cut off a torn last line of ${tail.length} bytes before adding to the file.`;
}

/** The bytes behind the last line feed, or undefined where they are too many. */
function readTail(fs: Fs, fd: number, size: number): Buffer | undefined {
  for (let length = 1 << 12; ; length *= 16) {
    const bytes = Buffer.alloc(Math.min(length, size));
    fs.readSync(fd, bytes, 0, bytes.length, size - bytes.length);
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
