import type { z } from "zod";
import { InvalidRecordError, showValue, type RecordPlace } from "../errors/index.ts";

/** One source record, read by the caller: a line of JSON text, or a value already parsed. */
export type ImportLine = { place: RecordPlace } & ({ text: string } | { json: unknown });

/** Lines from wherever the caller has them. */
export type ImportLines = Iterable<ImportLine> | AsyncIterable<ImportLine>;

/**
 * The record of a line, checked against what the importer needs of it.
 *
 * Throws `InvalidRecordError` with place and field path; the offending value is shown by type and
 * size, since a record may hold states.
 */
export function parseImportLine<T>(line: ImportLine, schema: z.ZodType<T>): T {
  const value = importJson(line);
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0]!;
  const path = issue.path.map(String);
  let found: unknown = value;
  for (const key of path) found = (found as Record<string, unknown> | undefined)?.[key];
  throw new InvalidRecordError(line.place, path.join("."), `${issue.message}, got ${showValue(found)}`);
}

/** The JSON of a line, of whatever shape. Throws `InvalidRecordError` for text that is not JSON. */
export function importJson(line: ImportLine): unknown {
  if (!("text" in line)) return line.json;
  try {
    return JSON.parse(line.text);
  } catch (cause) {
    throw new InvalidRecordError(line.place, "", "not valid JSON", { cause });
  }
}
