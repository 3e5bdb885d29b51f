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
  const value = "text" in line ? parseJson(line.text, line.place) : line.json;
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0]!;
  const path = issue.path.map(String);
  let found: unknown = value;
  for (const key of path) found = (found as Record<string, unknown> | undefined)?.[key];
  throw new InvalidRecordError(line.place, path.join("."), `${issue.message}, got ${showValue(found)}`);
}

function parseJson(text: string, place: RecordPlace): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new InvalidRecordError(place, "", "not valid JSON", { cause });
  }
}
