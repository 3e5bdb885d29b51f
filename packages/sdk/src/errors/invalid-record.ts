import { AsvError, type AsvErrorCode } from "./asv-error.ts";

/** Where a record stands: a file (or a name for a stream) and its 1-based line. */
export interface RecordPlace {
  readonly source: string;
  readonly line: number;
}

/** A stored record that cannot be used, with file, line and field path. */
export class InvalidRecordError extends AsvError {
  constructor(
    place: RecordPlace,
    path: string,
    problem: string,
    options: { code?: AsvErrorCode; cause?: unknown } = {},
  ) {
    const at = path === "" ? "" : ` field ${path}:`;
    super(
      options.code ?? "invalid_record",
      `${place.source}:${place.line}:${at} ${problem}`,
      { source: place.source, line: place.line, path },
      options.cause,
    );
    this.name = "InvalidRecordError";
  }
}
