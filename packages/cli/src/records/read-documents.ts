import { createReadStream } from "node:fs";
import { AsvError, InvalidRecordError, type ImportLine } from "@agent-step-value/sdk";
import { readLines } from "@agent-step-value/sdk/jsonl";
import { isJson, parseDocument } from "./parse-document.ts";
import type { WarningLog } from "./read-input.ts";

/** Largest JSON document, in bytes: it is held whole, and as objects takes several times its size. */
const DOCUMENT_LIMIT = 256 * 1024 * 1024;
const CHUNK = 1 << 20;
const LINE_FEED = 0x0a;
/** Space, tab, line feed, carriage return, and the bytes of a byte order mark. */
const BLANK = new Set([0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf]);

export interface DocumentOptions {
  /** Called where a document was not quite JSON and was read all the same. */
  onRepair: (message: string) => void;
  limit?: number;
}

/**
 * JSON documents of files: one a file, however it is laid out, or one a line. A file whose first line is a
 * whole document has one a line and is read line by line; any other is read whole, up to 256 MiB.
 *
 * @throws InvalidRecordError for a file that is not JSON; AsvError `unreadable_source` for one that cannot
 * be read or is too large
 */
export async function* readDocuments(
  files: readonly string[],
  log: WarningLog,
  { limit = DOCUMENT_LIMIT, onRepair }: DocumentOptions,
): AsyncGenerator<ImportLine> {
  for (const file of files) yield* documentsOf(file, log, limit, onRepair);
}

async function* documentsOf(
  file: string,
  log: WarningLog,
  limit: number,
  onRepair: (message: string) => void,
): AsyncGenerator<ImportLine> {
  const source = file === "-" ? "<stdin>" : file;
  const chunks = chunksOf(file, source);
  const read: Buffer[] = [];
  const line = await firstLine(chunks, read, source, limit);
  if (line !== undefined && isJson(line.toString("utf8").trim())) {
    if (file !== "-") await chunks.return(undefined);
    yield* readLines(file === "-" ? joined(read, chunks) : file, log);
    return;
  }
  for await (const chunk of chunks) {
    read.push(chunk);
    checkSize(read, source, limit);
  }
  const text = wholeText(read, source);
  if (text.trim() === "") {
    log.onWarning({ code: "empty", message: `${source}: holds no document.`, source, line: 0 });
  } else yield { place: { source, line: 1 }, json: parseDocument(text, source, onRepair) };
}

async function* chunksOf(file: string, source: string): AsyncGenerator<Buffer> {
  const stream = file === "-" ? process.stdin : createReadStream(file, { highWaterMark: CHUNK });
  try {
    for await (const chunk of stream) yield Buffer.from(chunk as Uint8Array);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "error";
    const message = `${source}: cannot be read (${code}); give the path of a JSON file.`;
    throw new AsvError("unreadable_source", message, { source }, error);
  }
}

async function* joined(read: readonly Buffer[], rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield* read;
  yield* rest;
}

/** The first line that is not blank, with its end; undefined where the file ends before. Keeps what it reads. */
async function firstLine(
  chunks: AsyncGenerator<Buffer>,
  read: Buffer[],
  source: string,
  limit: number,
): Promise<Buffer | undefined> {
  let begun = false;
  for (;;) {
    const { value, done } = await chunks.next();
    if (done === true) return undefined;
    read.push(value);
    checkSize(read, source, limit);
    const from = begun ? 0 : value.findIndex((byte) => !BLANK.has(byte));
    if (from < 0) continue;
    begun = true;
    const end = value.indexOf(LINE_FEED, from);
    if (end < 0) continue;
    const before = Buffer.concat(read);
    return before.subarray(0, before.length - value.length + end);
  }
}

function checkSize(read: readonly Buffer[], source: string, limit: number): void {
  let size = 0;
  for (const { length } of read) size += length;
  if (size <= limit) return;
  const message =
    `${source}: is larger than ${limit} bytes, more than one JSON document may have. ` +
    "Export fewer runs a file, or write one document a line.";
  throw new AsvError("unreadable_source", message, { source, limit });
}

/** The text of all chunks. They are let go before it is made, since it can be as large as they are. */
function wholeText(read: Buffer[], source: string): string {
  const bytes = Buffer.concat(read.splice(0));
  const start = bytes.subarray(0, 2).toString("latin1");
  const what =
    start === "PK"
      ? "a zip archive (an Inspect log of type .eval is one; convert it to JSON first)"
      : start === "\u001f\u008b"
        ? "gzip data; decompress it first"
        : undefined;
  try {
    if (what === undefined) return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    // said below
  }
  const problem = what === undefined ? "is not UTF-8 text; save it as UTF-8" : `is ${what}`;
  throw new InvalidRecordError({ source, line: 1 }, "", `the file ${problem}.`);
}
