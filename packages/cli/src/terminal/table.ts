import { cleanText } from "./clean-text.ts";

/** One column of a printed table. Numbers stand to the right, words to the left. */
export interface Column<Row> {
  title: string;
  align?: "left" | "right";
  cell: (row: Row) => string;
}

/** Text from a run made safe for a terminal: control and bidirectional marks become spaces. */
export function printable(text: string, limit = 60): string {
  const clean = cleanText(text);
  return clean.length > limit ? `${clean.slice(0, limit - 1)}…` : clean;
}

/** Rows as aligned text, two spaces between columns. */
export function renderTable<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const cells = rows.map((row) => columns.map((column) => printable(column.cell(row))));
  const widths = columns.map((column, i) =>
    cells.reduce((width, line) => Math.max(width, line[i]!.length), column.title.length),
  );
  const pad = (text: string, i: number): string =>
    columns[i]!.align === "right" ? text.padStart(widths[i]!) : text.padEnd(widths[i]!);
  const line = (texts: readonly string[]): string => texts.map(pad).join("  ").trimEnd();
  return [line(columns.map((column) => column.title)), ...cells.map(line)].join("\n");
}
