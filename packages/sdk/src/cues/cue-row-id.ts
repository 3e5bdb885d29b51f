import { sha256Hex } from "../schema/index.ts";
import { encodeCueRow } from "./cue-codec.ts";
import type { CueRow } from "./cue-row.ts";

/**
 * Names a row by what it shows, so that a verdict cannot land on another text than it was given for:
 * `cue-` and 16 hex digits.
 *
 * Plain JSON and not the canonical form, which has no place for the lone surrogates a cut-off buffer can hold.
 */
export function cueRowId(row: Omit<CueRow, "rowId">): string {
  const { verdict: _verdict, note: _note, reviewer: _reviewer, extra: _extra, ...content } = row;
  return `cue-${sha256Hex(JSON.stringify(encodeCueRow({ ...content, rowId: "" }))).slice(0, 16)}`;
}
