import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AsvError } from "@agent-step-value/sdk";

/**
 * A file of this process alone that only grows, made when the first byte is written. Where the system allows
 * it has no name any more from then on, so that nothing is left of it however the process ends.
 */
export class TemporaryFile {
  readonly #parent: string;
  #handle: number | undefined;
  #directory: string | undefined;
  #size = 0;

  constructor(directory: string | undefined) {
    this.#parent = directory ?? tmpdir();
  }

  get size(): number {
    return this.#size;
  }

  /**
   * Adds bytes and returns where they begin.
   *
   * @throws {AsvError} `unreadable_source`
   */
  append(bytes: Uint8Array): number {
    const start = this.#size;
    this.#do("write", () => {
      this.#handle ??= this.#create();
      for (let done = 0; done < bytes.length;) {
        done += writeSync(this.#handle, bytes, done, bytes.length - done, start + done);
      }
    });
    this.#size += bytes.length;
    return start;
  }

  /** @throws {AsvError} `unreadable_source` */
  read(start: number, length: number): Buffer {
    const bytes = Buffer.allocUnsafe(length);
    this.#do("read", () => {
      for (let done = 0; done < length;) {
        const read = readSync(this.#handle!, bytes, done, length - done, start + done);
        if (read === 0) throw Object.assign(new Error(), { code: "file shrank" });
        done += read;
      }
    });
    return bytes;
  }

  close(): void {
    if (this.#handle !== undefined) closeSync(this.#handle);
    this.#handle = undefined;
    if (this.#directory !== undefined) rmSync(this.#directory, { recursive: true, force: true });
    this.#directory = undefined;
  }

  #create(): number {
    this.#directory = mkdtempSync(join(this.#parent, "asv-otlp-"));
    // Only the owner may read it: it holds the states of the runs.
    const handle = openSync(join(this.#directory, "records"), "wx+", 0o600);
    if (process.platform !== "win32") {
      rmSync(this.#directory, { recursive: true, force: true });
      this.#directory = undefined;
    }
    return handle;
  }

  #do(what: string, work: () => void): void {
    try {
      work();
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? "unknown error";
      const message = `${this.#parent}: cannot ${what} a temporary file (${code}). Free some space, or name another directory with TMPDIR.`;
      throw new AsvError("unreadable_source", message, { source: this.#parent, errno: code }, error);
    }
  }
}
