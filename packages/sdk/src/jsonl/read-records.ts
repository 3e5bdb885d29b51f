import type { RecordPlace } from "../errors/index.ts";
import { LineSplitter, type RawLine } from "./line-splitter.ts";
import { NO_RECORD, parseLine } from "./parse-line.ts";
import type { ReadOptions } from "./read-warning.ts";
import { openSources, type JsonlSource, type OpenSource } from "./source.ts";

const LINE_LIMIT = 256 * 1024 * 1024;

/** One line's JSON and where it stands. */
export interface JsonLine {
  readonly json: unknown;
  readonly place: RecordPlace;
}

/**
 * The lines of a source, a batch a chunk: an async step for each line of a large file would cost
 * more than parsing it.
 */
export async function* lineBatches(source: OpenSource, options: ReadOptions): AsyncGenerator<RawLine[]> {
  const splitter = new LineSplitter(source.name, options.lineLimit ?? LINE_LIMIT);
  for await (const chunk of source.chunks()) yield splitter.push(chunk);
  const last = splitter.end();
  if (last !== undefined) yield [last];
}

/** A parsed line with its bytes, which are only valid until the next batch. */
interface ParsedLine extends JsonLine {
  readonly bytes: Uint8Array;
}

/** The parsed lines of a source, a batch a chunk; a bad line is thrown after those before it were taken. */
export async function* jsonBatches(
  source: OpenSource,
  options: ReadOptions,
): AsyncGenerator<Iterable<ParsedLine>> {
  const onWarning = options.onWarning ?? (() => undefined);
  let empty = true;
  function* parse(lines: RawLine[]): Generator<ParsedLine> {
    for (const line of lines) {
      const json = parseLine(line, source.name, onWarning);
      if (json === NO_RECORD) continue;
      empty = false;
      yield { json, place: { source: source.name, line: line.line }, bytes: line.bytes };
    }
  }
  for await (const lines of lineBatches(source, options)) yield parse(lines);
  if (empty) {
    onWarning({ code: "empty", message: `${source.name}: holds no record.`, source: source.name, line: 0 });
  }
}

/**
 * The JSON of every line of a file or stream, with its place.
 *
 * Lines end at a line feed only. A byte order mark, carriage returns before line feeds and blank
 * lines are passed over.
 *
 * @param source a path, `-` for standard input, or a stream of bytes or text
 * @throws {InvalidRecordError} naming the line that is not JSON, not UTF-8 or too long
 * @throws {AsvError} `unreadable_source`
 */
export async function* readLines(source: JsonlSource, options: ReadOptions = {}): AsyncGenerator<JsonLine> {
  for (const opened of await openSources([source])) {
    for await (const batch of jsonBatches(opened, options)) {
      for (const { json, place } of batch) yield { json, place };
    }
  }
}

/**
 * The records of a file or stream: score files, step metrics, candidate sets.
 *
 * @param decode turns one line's JSON into a record, for example `decodeScoreFileRecord`
 * @throws what {@link readLines} and `decode` throw
 */
export async function* readRecords<T>(
  source: JsonlSource,
  decode: (json: unknown, place: RecordPlace) => T,
  options: ReadOptions = {},
): AsyncGenerator<T> {
  for await (const { json, place } of readLines(source, options)) yield decode(json, place);
}
