import { PythonFloat, pythonFloatText } from "./python-float.ts";

export type CsvCell = string | number | PythonFloat | null;

/**
 * A table as Python's `csv.DictWriter` writes it: CRLF line ends, quotes only where needed, nothing for a
 * missing value.
 */
export function csvTable(columns: readonly string[], rows: readonly (readonly CsvCell[])[]): string {
  return [columns, ...rows].map((cells) => cells.map(cellText).join(",") + "\r\n").join("");
}

function cellText(cell: CsvCell): string {
  if (cell === null) return "";
  if (cell instanceof PythonFloat) return pythonFloatText(cell.value);
  const text = String(cell);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
