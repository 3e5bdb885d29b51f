/** One column of a CSV table. Numbers are written unrounded; undefined is an empty cell. */
export interface CsvColumn<Row> {
  name: string;
  cell: (row: Row) => string | number | boolean | undefined;
}

/** Characters a spreadsheet takes for the start of a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/** A table as CSV (RFC 4180, LF). Texts come from agent runs: one that looks like a formula is quoted out. */
export function csvHeader<Row>(columns: readonly CsvColumn<Row>[]): string {
  return `${columns.map(({ name }) => name).join(",")}\n`;
}

/** One row of {@link csvHeader}'s table. */
export function csvRow<Row>(columns: readonly CsvColumn<Row>[], row: Row): string {
  return `${columns.map(({ cell }) => csvCell(cell(row))).join(",")}\n`;
}

function csvCell(value: string | number | boolean | undefined): string {
  if (value === undefined) return "";
  if (typeof value !== "string") return String(value);
  const safe = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
