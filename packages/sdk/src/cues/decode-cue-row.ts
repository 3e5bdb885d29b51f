import { InvalidRecordError, showValue, type RecordPlace } from "../errors/index.ts";
import { parseCueRow } from "./cue-codec.ts";
import { cueRowId } from "./cue-row-id.ts";
import type { CueRow } from "./cue-row.ts";

/**
 * Reads one line of a cue work list.
 *
 * @throws InvalidRecordError `invalid_record`, `unknown_schema_version`, or `damaged` for a row that is not
 *   what its id was made of
 */
export function decodeCueRow(json: unknown, place: RecordPlace): CueRow {
  const row = parseCueRow(json, place);
  if (cueRowId(row) === row.rowId) return row;
  const problem = `${showValue(row.rowId)} is not the digest of the row: its content was changed after it was written`;
  throw new InvalidRecordError(place, "row_id", problem, { code: "damaged" });
}
