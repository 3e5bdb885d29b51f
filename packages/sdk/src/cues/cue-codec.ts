import type { RecordPlace } from "../errors/index.ts";
import type { JsonObject } from "../schema/index.ts";
import { checkSchemaVersion, decodeRecord } from "../schema/codec/decode-record.ts";
import { list, optional, record, required } from "../schema/codec/wire-type.ts";
import { count, finite, identifier, oneOf, text, truth } from "../schema/codec/wire-values.ts";
import { CUE_VERDICTS, CUES_SCHEMA, type Cue, type CueCandidate, type CueRow } from "./cue-row.ts";
import { CUE_PRESENCES } from "./searched-text.ts";

const presence = oneOf(CUE_PRESENCES);

const cueType = record<Cue>({
  text: required("text", text),
  of: required("of", oneOf(["target", "competitor"])),
  shared: required("shared", truth),
  stateBefore: required("state_before", presence),
  stateAfter: required("state_after", presence),
  bufferBefore: optional("buffer_before", presence),
  bufferAfter: optional("buffer_after", presence),
});

const candidateType = record<CueCandidate>({
  id: required("id", identifier),
  text: required("text", text),
});

const cueRowType = record<CueRow>(
  {
    rowId: required("row_id", identifier),
    trajectoryId: required("trajectory_id", identifier),
    stepId: required("step_id", identifier),
    action: required("action", text),
    protocolId: required("protocol_id", identifier),
    gap: optional("gap", finite),
    target: required("target", candidateType),
    competitor: required("competitor", candidateType),
    competitorTied: required("competitor_tied", truth),
    cues: required("cues", list(cueType)),
    cuesLeftOut: required("cues_left_out", count),
    bufferBefore: optional("buffer_before", text),
    bufferAfter: optional("buffer_after", text),
    verdict: optional("verdict", oneOf(CUE_VERDICTS)),
    note: optional("note", text),
    reviewer: optional("reviewer", text),
  },
  // The second key is for people and programs that come across the file.
  { schema_version: CUES_SCHEMA, record: "cue_row_with_target" },
);

/** A line of a work list, its digest not checked. */
export function parseCueRow(json: unknown, place: RecordPlace): CueRow {
  checkSchemaVersion(json, place, CUES_SCHEMA);
  return decodeRecord(cueRowType, json, place);
}

/** The wire form of a row, keys in a fixed order. */
export function encodeCueRow(row: CueRow): JsonObject {
  return cueRowType.encode(row);
}
