import { AsvError, InvalidArgumentError } from "../errors/index.ts";
import { fileError } from "./file-error.ts";
import { nodeModule } from "./node-module.ts";

/** Where records come from: a path, `-` for standard input, or a stream of bytes or text. */
export type JsonlSource = string | AsyncIterable<Uint8Array | string>;

/** A source that was found to be readable. */
export interface OpenSource {
  readonly name: string;
  /** True for a file proper, which can be read again and gives the same bytes. */
  readonly repeatable: boolean;
  /** The bytes. A chunk is only valid until the next one is asked for. */
  readonly chunks: () => AsyncIterable<Uint8Array>;
}

const CHUNK = 1 << 20;

/**
 * Looks at every source before the first is read, so that a missing file is reported at once and
 * not after an hour.
 *
 * @throws {AsvError} `unreadable_source`
 */
export async function openSources(sources: JsonlSource | readonly JsonlSource[]): Promise<OpenSource[]> {
  const listed = Array.isArray(sources) ? (sources as readonly JsonlSource[]) : [sources as JsonlSource];
  const opened: OpenSource[] = [];
  let streams = 0;
  for (const source of listed) {
    if (typeof source !== "string") opened.push(openStream(source, ++streams));
    else if (source === "-") {
      opened.push({
        name: "<stdin>",
        repeatable: false,
        chunks: () => streamChunks("<stdin>", process.stdin),
      });
    } else opened.push(await openPath(source));
  }
  return opened;
}

function openStream(source: AsyncIterable<Uint8Array | string>, number: number): OpenSource {
  if (typeof (source as Partial<typeof source> | undefined)?.[Symbol.asyncIterator] !== "function") {
    throw new InvalidArgumentError("source", "a path, '-' or an async iterable of bytes or text", source);
  }
  const name = number === 1 ? "<stream>" : `<stream ${number}>`;
  return { name, repeatable: false, chunks: () => textToBytes(source) };
}

async function openPath(path: string): Promise<OpenSource> {
  const { promises, createReadStream } = nodeModule("node:fs");
  const found = await promises.stat(path).catch((error: unknown) => {
    throw fileError(path, "read it", error);
  });
  if (found.isDirectory()) {
    const message = `${path}: is a directory. Name a file in it.`;
    throw new AsvError("unreadable_source", message, { source: path, errno: "EISDIR" });
  }
  if (found.isFile()) return { name: path, repeatable: true, chunks: () => fileChunks(path, found.size) };
  return { name: path, repeatable: false, chunks: () => streamChunks(path, createReadStream(path)) };
}

/** Reads the first `size` bytes: a file that grows meanwhile gives the same records each time. */
async function* fileChunks(path: string, size: number): AsyncGenerator<Uint8Array> {
  const handle = await nodeModule("node:fs")
    .promises.open(path)
    .catch((error: unknown) => {
      throw fileError(path, "read it", error);
    });
  try {
    const buffer = Buffer.allocUnsafe(Math.min(CHUNK, size));
    for (let left = size; left > 0;) {
      const { bytesRead } = await handle
        .read(buffer, 0, Math.min(buffer.length, left))
        .catch((error: unknown) => {
          throw fileError(path, "read it", error);
        });
      if (bytesRead === 0) return;
      left -= bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}

async function* streamChunks(
  name: string,
  stream: AsyncIterable<Uint8Array | string>,
): AsyncGenerator<Uint8Array> {
  try {
    yield* textToBytes(stream);
  } catch (error) {
    throw fileError(name, "read it", error);
  }
}

/**
 * Text chunks may be cut between the halves of a surrogate pair, so a trailing half waits for the
 * next chunk. A half that stays alone is written as its JSON escape, which the parser then reports.
 */
async function* textToBytes(chunks: AsyncIterable<Uint8Array | string>): AsyncGenerator<Uint8Array> {
  let waiting = "";
  for await (const chunk of chunks) {
    if (typeof chunk !== "string") {
      if (!(chunk instanceof Uint8Array)) {
        throw new InvalidArgumentError("source", "a stream of bytes or text", chunk);
      }
      yield chunk;
      continue;
    }
    const text = waiting + chunk;
    const cut = /[\uD800-\uDBFF]$/.test(text) ? text.length - 1 : text.length;
    waiting = text.slice(cut);
    yield Buffer.from(escapeLoneSurrogates(text.slice(0, cut)));
  }
  if (waiting !== "") yield Buffer.from(escapeLoneSurrogates(waiting));
}

function escapeLoneSurrogates(text: string): string {
  return text.replace(/[\uD800-\uDFFF]/gu, (half) => `\\u${half.charCodeAt(0).toString(16)}`);
}
