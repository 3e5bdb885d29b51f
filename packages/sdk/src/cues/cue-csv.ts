import { csvLine } from "./csv-table.ts";
import type { Cue, CueRow } from "./cue-row.ts";

/** Columns of the CSV form, one line a transition. `verdict`, `note` and `reviewer` are the person's. */
const columns: readonly (readonly [name: string, cell: (row: CueRow) => string])[] = [
  ["row_id", (row) => row.rowId],
  ["verdict", (row) => row.verdict ?? ""],
  ["note", (row) => row.note ?? ""],
  ["reviewer", (row) => row.reviewer ?? ""],
  ["trajectory_id", (row) => row.trajectoryId],
  ["step_id", (row) => row.stepId],
  ["action", (row) => row.action],
  ["protocol_id", (row) => row.protocolId],
  ["gap", (row) => (row.gap === undefined ? "" : String(row.gap))],
  ["target", (row) => row.target.text],
  ["competitor", (row) => `${row.competitor.text}${row.competitorTied ? " (tied)" : ""}`],
  ["target_lost_in_state", (row) => cueTexts(row, "target", isLostInState)],
  ["target_lost_in_buffer", (row) => cueTexts(row, "target", isLostInBuffer)],
  ["target_kept_in_buffer", (row) => cueTexts(row, "target", isKeptInBuffer)],
  ["competitor_new_in_state", (row) => cueTexts(row, "competitor", isNewInState)],
  ["competitor_only_in_buffer", (row) => cueTexts(row, "competitor", isOnlyInBuffer)],
  ["cues_left_out", (row) => String(row.cuesLeftOut)],
  ["buffer_before", (row) => row.bufferBefore ?? ""],
  ["buffer_after", (row) => row.bufferAfter ?? ""],
];

/**
 * The work list as CSV for a spreadsheet. Verdicts are one of CUE_VERDICTS; an empty one is not given yet.
 * Rows come back through readCueVerdicts whatever their order; columns may be removed but `row_id` and `verdict`.
 */
export function* cueCsvLines(rows: Iterable<CueRow>): Generator<string> {
  yield csvLine(columns.map(([name]) => name));
  for (const row of rows) yield csvLine(columns.map(([, cell]) => cell(row)));
}

/** Cues that both candidates or the question have are left out: they tell nothing apart. */
function cueTexts(row: CueRow, of: Cue["of"], test: (cue: Cue) => boolean): string {
  const found = row.cues.filter((cue) => cue.of === of && !cue.shared && test(cue));
  return found.map(({ text }) => text).join("; ");
}

/** In the before-state and not in the after-state: the step removed it. */
export function isLostInState(cue: Cue): boolean {
  return cue.stateBefore !== "absent" && cue.stateAfter === "absent";
}

/** In the after-state and not in its buffer: the buffer dropped it. */
export function isLostInBuffer(cue: Cue): boolean {
  return cue.stateAfter !== "absent" && cue.bufferAfter === "absent";
}

/** In the after-state and in its buffer. */
export function isKeptInBuffer(cue: Cue): boolean {
  return cue.stateAfter !== "absent" && cue.bufferAfter !== undefined && cue.bufferAfter !== "absent";
}

/** Brought in by the step. */
export function isNewInState(cue: Cue): boolean {
  return cue.stateBefore === "absent" && cue.stateAfter !== "absent";
}

/** In the buffer of the after-state without being in the state. */
export function isOnlyInBuffer(cue: Cue): boolean {
  return cue.stateAfter === "absent" && cue.bufferAfter !== undefined && cue.bufferAfter !== "absent";
}
