import { closeSync, constants, fstatSync, openSync, readSync, writeSync } from "node:fs";
import { AsvError } from "../../errors/index.ts";
import type { JsonValue } from "../../schema/index.ts";

const LF = 10;
const CHUNK = 1 << 16;
/** Every line starts with these bytes, then the key; so an index needs no JSON parsing. */
const OPENING = Buffer.from('{"key":"');
const KEY_LENGTH = 64;
const HEAD = OPENING.length + KEY_LENGTH;

/** One JSONL file of replies, append-only, with the places of its lines in memory. */
export interface ShardFile {
  get(key: string): JsonValue | undefined;
  put(key: string, value: JsonValue): void;
  close(): void;
}

/**
 * Opens or creates one file of the cache.
 *
 * Only keys and places are held in memory; a value is read when it is asked for. Whole lines count:
 * the torn last line of a killed process is passed over, and the next line is written after a line
 * feed of its own. Each line goes out in one write to a file opened for appending, so processes may
 * share the file; lines that others appended are found when a key is missing.
 */
export function openShardFile(path: string): ShardFile {
  const fd = attempt(path, "opened", () =>
    openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_APPEND, 0o644),
  );
  const places = new Map<string, { at: number; length: number }>();
  let indexedTo = 0;
  /** Where the file ends if nobody else wrote since; then it ends in our own line feed. */
  let endOfOwn = 0;

  /** Indexes whole lines that were appended since the last look. */
  const refresh = () => {
    const size = fstatSync(fd).size;
    if (size <= indexedTo) return;
    let lineAt = indexedTo;
    let head = Buffer.alloc(0);
    const buffer = Buffer.allocUnsafe(Math.min(CHUNK, size - indexedTo));
    for (let at = indexedTo; at < size;) {
      const got = readSync(fd, buffer, 0, Math.min(buffer.length, size - at), at);
      if (got === 0) break;
      let from = 0;
      for (let lf = buffer.indexOf(LF); lf !== -1 && lf < got; lf = buffer.indexOf(LF, from)) {
        const start = Buffer.concat([head, buffer.subarray(from, Math.min(lf, from + HEAD))]);
        const key = keyOf(start);
        if (key !== undefined && !places.has(key)) places.set(key, { at: lineAt, length: at + lf - lineAt });
        lineAt = at + lf + 1;
        from = lf + 1;
        head = Buffer.alloc(0);
      }
      if (head.length < HEAD) head = Buffer.concat([head, buffer.subarray(from, Math.min(got, from + HEAD))]);
      at += got;
    }
    indexedTo = lineAt;
  };

  const valueAt = (key: string, { at, length }: { at: number; length: number }): JsonValue | undefined => {
    const line = Buffer.allocUnsafe(length);
    for (let done = 0; done < length;) {
      const got = readSync(fd, line, done, length - done, at + done);
      if (got === 0) return undefined;
      done += got;
    }
    try {
      const parsed = JSON.parse(line.toString("utf8")) as { key?: unknown; value?: JsonValue };
      return parsed.key === key ? parsed.value : undefined;
    } catch {
      return undefined;
    }
  };

  return {
    get: (key) =>
      attempt(path, "read", () => {
        if (!places.has(key)) refresh();
        for (let place = places.get(key); place !== undefined; place = places.get(key)) {
          const value = valueAt(key, place);
          if (value !== undefined) return value;
          // A line that cannot be read is as good as none, and must not hide a later one of its key.
          places.delete(key);
          indexedTo = place.at + place.length + 1;
          refresh();
        }
        return undefined;
      }),
    put: (key, value) =>
      attempt(path, "written", () => {
        const { size } = fstatSync(fd);
        const lead = size !== endOfOwn && endsTorn(fd, size) ? "\n" : "";
        const bytes = Buffer.from(`${lead}{"key":"${key}","value":${JSON.stringify(value)}}\n`);
        const written = writeSync(fd, bytes);
        if (written < bytes.length) throw new Error(`only ${written} of ${bytes.length} bytes were written`);
        endOfOwn = size + bytes.length;
      }),
    close: () => closeSync(fd),
  };
}

function keyOf(head: Buffer): string | undefined {
  if (head.length < HEAD || head.compare(OPENING, 0, OPENING.length, 0, OPENING.length) !== 0)
    return undefined;
  return head.toString("latin1", OPENING.length, HEAD);
}

/** True when the last byte is no line feed: some process died while writing. */
function endsTorn(fd: number, size: number): boolean {
  if (size === 0) return false;
  const last = Buffer.allocUnsafe(1);
  return readSync(fd, last, 0, 1, size - 1) === 1 && last[0] !== LF;
}

function attempt<T>(path: string, what: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    const reason = error instanceof Error ? error.message : "unknown reason";
    throw new AsvError(
      "unreadable_source",
      `The cache file ${path} cannot be ${what}: ${reason}.`,
      { path },
      error,
    );
  }
}
