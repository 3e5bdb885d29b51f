import { InvalidRecordError, type RecordPlace } from "../errors/index.ts";

/** What a spreadsheet takes for the start of a formula; behind quotes too, so that taking one off gives the text back. */
const FORMULA = /^'*[=+\-@\t\r]/;
/** A number begins with a minus sign too, and is none. */
const NUMBER = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/;
const DISARMED = /^'+[=+\-@\t\r]/;

/**
 * One line of CSV (RFC 4180). A text that a spreadsheet would run as a formula is quoted out: these texts come
 * from agent runs and models.
 */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

function csvCell(text: string): string {
  const safe = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A row of a CSV file with the line it begins on, 1-based. */
export interface CsvRow {
  line: number;
  cells: string[];
}

/**
 * Rows of a CSV text as spreadsheets save it: with a byte-order mark or without, separated by comma, semicolon or
 * tab (whichever the first line has most of), LF or CRLF, quoted cells over several lines. Blank lines are passed
 * over. What {@link csvLine} quoted out is undone. O(n).
 *
 * @throws InvalidRecordError for a quote that never closes or has text after it
 */
export function parseCsv(text: string, source: string): CsvRow[] {
  const body = text.startsWith("\ufeff") ? text.slice(1) : text;
  const separator = separatorOf(body);
  const rows: CsvRow[] = [];
  let line = 1;
  let at = 0;
  while (at < body.length) {
    const place = { source, line };
    const cells: string[] = [];
    for (;;) {
      const cell = body[at] === '"' ? quotedCell(body, at, place) : plainCell(body, at, separator);
      cells.push(DISARMED.test(cell.text) ? cell.text.slice(1) : cell.text);
      line += cell.lines;
      at = cell.end;
      if (body[at] !== separator) break;
      at++;
    }
    if (body[at] === "\r") at++;
    if (at < body.length && body[at] !== "\n") {
      throw new InvalidRecordError(place, "", "there is text after a closing quote");
    }
    at++;
    if (cells.length > 1 || cells[0] !== "") rows.push({ line: place.line, cells });
    line++;
  }
  return rows;
}

interface Cell {
  text: string;
  /** Where the cell's separator or line end stands. */
  end: number;
  /** Line ends inside the cell. */
  lines: number;
}

function plainCell(body: string, start: number, separator: string): Cell {
  let end = start;
  while (end < body.length && body[end] !== separator && body[end] !== "\n") end++;
  const text = body.slice(start, end);
  // A carriage return belongs to the line end.
  return text.endsWith("\r") && body[end] !== separator
    ? { text: text.slice(0, -1), end: end - 1, lines: 0 }
    : { text, end, lines: 0 };
}

function quotedCell(body: string, start: number, place: RecordPlace): Cell {
  const parts: string[] = [];
  let from = start + 1;
  for (;;) {
    const quote = body.indexOf('"', from);
    if (quote < 0) throw new InvalidRecordError(place, "", "a quote is never closed");
    parts.push(body.slice(from, quote));
    if (body[quote + 1] !== '"') {
      const text = parts.join('"');
      return { text, end: quote + 1, lines: text.split("\n").length - 1 };
    }
    from = quote + 2;
  }
}

function separatorOf(body: string): string {
  const header = body.slice(0, body.includes("\n") ? body.indexOf("\n") : undefined);
  const count = (separator: string) => header.split(separator).length;
  return [",", ";", "\t"].reduce((best, other) => (count(other) > count(best) ? other : best));
}
