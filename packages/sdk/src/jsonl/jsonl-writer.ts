import { AsvError, InvalidArgumentError } from "../errors/index.ts";
import { fieldPath, findJsonProblem, type JsonObject } from "../schema/index.ts";
import { appendFile } from "./append-output.ts";
import { fileError } from "./file-error.ts";
import { replaceFile, standardOutput, type Output } from "./output.ts";
import type { OnWarning } from "./read-warning.ts";

/** Options of {@link openJsonlWriter}. */
export interface WriteOptions {
  /** Add to the file instead of replacing it; each record is then in the file when its write resolves. */
  append?: boolean;
  /** Called when a torn last line was cut off before adding to a file. */
  onWarning?: OnWarning;
}

/** Writes one record a line. Calls may overlap; records keep the order of the calls. */
export interface JsonlWriter {
  /**
   * Resolves when the next record may come; waiting for it keeps memory bounded.
   *
   * @throws {InvalidArgumentError} for a number that is not finite
   * @throws {AsvError} `unreadable_source` where the disk is full or the reader went away
   */
  write(record: JsonObject): Promise<void>;
  /** Puts the file in place. Nothing can be written afterwards. */
  commit(): Promise<void>;
  /** Leaves what was there before; without effect after `commit`. Never throws. */
  abort(): Promise<void>;
  /** Records written so far. */
  readonly count: number;
}

const BUFFERED = 1 << 16;

/**
 * Opens a JSONL file to write: UTF-8, one line feed a record. A new file appears at `path` on
 * `commit` and not before; until then whatever was there stays.
 *
 * @param path a file, or `-` for standard output
 * @throws {AsvError} `unreadable_source`
 */
export async function openJsonlWriter(path: string, options: WriteOptions = {}): Promise<JsonlWriter> {
  const { append = false, onWarning = () => undefined } = options;
  if (path === "-") return writerOf(standardOutput(), BUFFERED);
  if (append) return writerOf(await appendFile(path, onWarning), 0);
  return writerOf(await replaceFile(path), BUFFERED);
}

function writerOf(output: Output, buffered: number): JsonlWriter {
  let text = "";
  let count = 0;
  let closed = false;
  let failure: AsvError | undefined;
  let work: Promise<void> = Promise.resolve();

  /** Does one thing after the other; after a failure nothing more is written. */
  const next = (job: () => Promise<void>): Promise<void> => {
    const done = work.then(async () => {
      if (failure !== undefined) throw failure;
      await job().catch((error: unknown) => {
        throw (failure = fileError(output.name, "write it", error));
      });
    });
    work = done.catch(() => undefined);
    return done;
  };
  const flush = (): Promise<void> => {
    const ready = text;
    text = "";
    return next(() => (ready === "" ? Promise.resolve() : output.write(ready)));
  };

  return {
    get count() {
      return count;
    },
    async write(record) {
      if (closed) throw new InvalidArgumentError("writer", "open", "a writer that was committed or aborted");
      if (failure !== undefined) throw failure;
      text += `${toLine(record)}\n`;
      count++;
      if (text.length > buffered) await flush();
    },
    async commit() {
      if (closed) throw new InvalidArgumentError("writer", "open", "a writer that was committed or aborted");
      closed = true;
      try {
        await flush();
        await next(() => output.finish());
      } catch (error) {
        await output.discard();
        throw error;
      }
    },
    async abort() {
      if (closed) return;
      closed = true;
      await work;
      await output.discard();
    },
  };
}

function toLine(record: JsonObject): string {
  const unsound = findJsonProblem(record);
  if (unsound !== undefined) {
    const argument = fieldPath(["record", ...unsound.path]);
    const message = `${argument} ${unsound.problem}; it cannot be written as JSON.`;
    throw new AsvError("invalid_argument", message, { argument });
  }
  try {
    return JSON.stringify(record);
  } catch (error) {
    const message = "record cannot be written as JSON: it is too large, or holds what JSON cannot.";
    throw new AsvError("invalid_argument", message, { argument: "record" }, error);
  }
}
