import { AsvError, InvalidRecordError, showValue, type RecordPlace } from "../errors/index.ts";
import { CUE_VERDICTS, type CueRow, type CueVerdict } from "./cue-row.ts";
import { parseCsv } from "./csv-table.ts";
import { decodeCueRow } from "./decode-cue-row.ts";

/** What a person filled in for one row. */
export interface CueJudgement {
  rowId: string;
  verdict: CueVerdict;
  note?: string;
  reviewer?: string;
}

/** What a filled-in file says. */
export interface CueJudgements {
  judgements: CueJudgement[];
  /** Rows without a verdict. */
  blank: string[];
}

/**
 * Reads verdicts back from a work list that a person filled in, as CSV or JSONL, told apart by the first
 * character. Words are taken in any case, with spaces or hyphens for underscores.
 *
 * @param source name of the file, for messages
 * @throws InvalidRecordError naming file and line for a word that is no verdict, a missing column, a row
 *   that comes twice with different verdicts, or a JSONL row whose content was changed (`damaged`)
 */
export function readCueVerdicts(text: string, source: string): CueJudgements {
  const isJsonl = /^\ufeff?\s*\{/.test(text);
  const found = isJsonl ? fromJsonl(text, source) : fromCsv(text, source);
  const judgements = new Map<string, CueJudgement>();
  const blank = new Set<string>();
  for (const { place, rowId, verdict, note, reviewer } of found) {
    if (verdict === "") {
      blank.add(rowId);
      continue;
    }
    const judgement = {
      rowId,
      verdict: verdictOf(verdict, place),
      ...(note === "" ? {} : { note }),
      ...(reviewer === "" ? {} : { reviewer }),
    };
    const known = judgements.get(rowId);
    if (known !== undefined && known.verdict !== judgement.verdict) {
      const problem = `row ${showValue(rowId)} has the verdict ${known.verdict} further up and ${judgement.verdict} here`;
      throw new InvalidRecordError(place, "verdict", problem, { code: "conflicting_records" });
    }
    judgements.set(rowId, judgement);
  }
  for (const rowId of judgements.keys()) blank.delete(rowId);
  return { judgements: [...judgements.values()], blank: [...blank] };
}

/** The rows with their verdicts, and what did not fit. */
export interface AppliedVerdicts {
  rows: CueRow[];
  /** Rows of the list that have no verdict, before or after. */
  unjudged: number;
}

/**
 * Puts verdicts on the rows they were given for; a row without one keeps what it had.
 *
 * @throws AsvError `conflicting_records` for a verdict on a row that is not in the list: it was given for
 *   another list, or for this one before its states or buffers changed
 */
export function applyCueVerdicts(
  rows: readonly CueRow[],
  judgements: readonly CueJudgement[],
): AppliedVerdicts {
  const byRow = new Map(judgements.map((judgement) => [judgement.rowId, judgement]));
  const known = new Set(rows.map(({ rowId }) => rowId));
  const strangers = judgements.filter(({ rowId }) => !known.has(rowId));
  if (strangers.length > 0) {
    throw new AsvError(
      "conflicting_records",
      `${strangers.length} of ${judgements.length} verdicts are for rows that the work list does not have, the first for ` +
        `${showValue(strangers[0]!.rowId)}. Give the list that the verdicts were made on.`,
      { strangers: strangers.length, rowId: strangers[0]!.rowId },
    );
  }
  const judged = rows.map((row) => ({ ...row, ...byRow.get(row.rowId) }));
  return { rows: judged, unjudged: judged.filter(({ verdict }) => verdict === undefined).length };
}

interface FilledRow {
  place: RecordPlace;
  rowId: string;
  verdict: string;
  note: string;
  reviewer: string;
}

function fromCsv(text: string, source: string): FilledRow[] {
  const [header, ...rows] = parseCsv(text, source);
  const place = { source, line: header?.line ?? 1 };
  const column = (name: string): number => header?.cells.findIndex((cell) => cell.trim() === name) ?? -1;
  const at = {
    rowId: column("row_id"),
    verdict: column("verdict"),
    note: column("note"),
    by: column("reviewer"),
  };
  for (const [name, index] of [
    ["row_id", at.rowId],
    ["verdict", at.verdict],
  ] as const) {
    if (index < 0)
      throw new InvalidRecordError(place, name, "is missing; it must be a column of the first line");
  }
  return rows.map(({ line, cells }) => {
    const cell = (index: number): string => (index < 0 ? "" : (cells[index] ?? "").trim());
    const rowId = cell(at.rowId);
    if (rowId === "") throw new InvalidRecordError({ source, line }, "row_id", "must not be empty");
    return {
      place: { source, line },
      rowId,
      verdict: cell(at.verdict),
      note: cell(at.note),
      reviewer: cell(at.by),
    };
  });
}

function fromJsonl(text: string, source: string): FilledRow[] {
  const lines = text.replace(/^\ufeff/, "").split("\n");
  return lines.flatMap((raw, i) => {
    if (raw.trim() === "") return [];
    const place = { source, line: i + 1 };
    // The verdict is checked apart: a person may spell it in any of the ways that CSV takes.
    const { verdict = null, ...rest } = parseObject(raw, place) as { verdict?: unknown };
    if (verdict !== null && typeof verdict !== "string") {
      throw new InvalidRecordError(place, "verdict", `must be a word, got ${showValue(verdict)}`);
    }
    const { rowId, note = "", reviewer = "" } = decodeCueRow(rest, place);
    return { place, rowId, verdict: verdict?.trim() ?? "", note: note.trim(), reviewer: reviewer.trim() };
  });
}

function parseObject(raw: string, place: RecordPlace): object {
  try {
    const json: unknown = JSON.parse(raw);
    if (typeof json === "object" && json !== null) return json;
  } catch {
    // Reported below: the engine's message may quote the line, which holds states.
  }
  throw new InvalidRecordError(place, "", "must be a JSON object");
}

function verdictOf(text: string, place: RecordPlace): CueVerdict {
  const word = text.toLowerCase().replaceAll(/[\s-]+/g, "_");
  const verdict = CUE_VERDICTS.find((known) => known === word);
  if (verdict !== undefined) return verdict;
  const problem = `must be one of ${CUE_VERDICTS.join(", ")} or empty, got ${showValue(text)}`;
  throw new InvalidRecordError(place, "verdict", problem);
}
