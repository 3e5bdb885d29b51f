import { createReadStream } from "node:fs";
import { open, realpath, stat } from "node:fs/promises";
import { AsvError, InvalidArgumentError } from "@agent-step-value/sdk";
import { expandPath } from "./expand-path.ts";

/**
 * Where telemetry comes from: a path of a file or of a directory of files, a pattern with `*` and `?`,
 * `-` for standard input; or bytes, at once or in pieces.
 */
export type OtlpSource = string | Uint8Array | Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/** A source that was found to be readable. Its bytes can be asked for once. */
export interface OpenedSource {
  readonly name: string;
  readonly chunks: () => AsyncIterable<Uint8Array>;
}

const CHUNK = 1 << 18;

/**
 * Looks at every source before the first is read, so that a missing file is reported at once and not
 * after an hour. A file that is named twice, or by a pattern too, is read once.
 *
 * @throws {AsvError} `unreadable_source`
 * @throws {InvalidArgumentError}
 */
export async function openSources(sources: OtlpSource | readonly OtlpSource[]): Promise<OpenedSource[]> {
  const opened: OpenedSource[] = [];
  const seen = new Set<string>();
  let streams = 0;
  for (const source of Array.isArray(sources) ? (sources as OtlpSource[]) : [sources as OtlpSource]) {
    if (source === "-") {
      opened.push({ name: "<stdin>", chunks: () => process.stdin });
    } else if (typeof source === "string") {
      const paths = await expandPath(source);
      if (paths.length === 0) throw unreadable(source, "no file fits it");
      for (const path of paths) {
        const real = await realpath(path).catch((error: unknown) => {
          throw unreadable(path, codeOf(error), error);
        });
        if (!seen.has(real)) opened.push(await openFile(path));
        seen.add(real);
      }
    } else {
      const name = ++streams === 1 ? "<stream>" : `<stream ${streams}>`;
      opened.push({ name, chunks: streamOf(source) });
    }
  }
  return opened;
}

async function openFile(path: string): Promise<OpenedSource> {
  const found = await stat(path).catch((error: unknown) => {
    throw unreadable(path, codeOf(error), error);
  });
  if (!found.isFile()) return { name: path, chunks: () => createReadStream(path) };
  // Opened now and not when its turn comes, so that one without permission is told before any is read.
  const handle = await open(path).catch((error: unknown) => {
    throw unreadable(path, codeOf(error), error);
  });
  await handle.close();
  return { name: path, chunks: () => fileChunks(path) };
}

async function* fileChunks(path: string): AsyncGenerator<Uint8Array> {
  const handle = await open(path);
  try {
    const buffer = Buffer.allocUnsafe(CHUNK);
    for (;;) {
      const { bytesRead } = await handle.read(buffer, 0, CHUNK, null);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}

function streamOf(source: Exclude<OtlpSource, string>): () => AsyncIterable<Uint8Array> {
  const bytes = source instanceof Uint8Array ? [source] : source;
  const isStream = Symbol.asyncIterator in Object(bytes) || Symbol.iterator in Object(bytes);
  if (!isStream) {
    const expected = "a path, bytes, or an iterable of bytes";
    throw new InvalidArgumentError("source", expected, source);
  }
  return () => bytesOf(bytes);
}

async function* bytesOf(
  chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    if (!(chunk instanceof Uint8Array))
      throw new InvalidArgumentError("source", "an iterable of bytes", chunk);
    // In pieces: a whole file at once would be copied at once.
    for (let at = 0; at < chunk.length; at += CHUNK) yield chunk.subarray(at, at + CHUNK);
  }
}

function unreadable(path: string, why: string, cause?: unknown): AsvError {
  const message = `${path}: cannot read it (${why}). Check the path and its permissions.`;
  return new AsvError("unreadable_source", message, { source: path }, cause);
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? "unknown error";
}
