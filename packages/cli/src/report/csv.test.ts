import { describe, expect, it } from "vitest";
import { csvHeader, csvRow, type CsvColumn } from "./csv.ts";

const columns: readonly CsvColumn<{ name: string; value: number | undefined }>[] = [
  { name: "name", cell: (row) => row.name },
  { name: "value", cell: (row) => row.value },
];

describe("CSV", () => {
  it("quotes what would break a row, and doubles quotes", () => {
    expect(csvHeader(columns)).toBe("name,value\n");
    expect(csvRow(columns, { name: 'a,"b"\nc', value: 1.5 })).toBe('"a,""b""\nc",1.5\n');
  });

  it("writes numbers unrounded and nothing for a missing one", () => {
    expect(csvRow(columns, { name: "x", value: 0.1 + 0.2 })).toBe("x,0.30000000000000004\n");
    expect(csvRow(columns, { name: "x", value: undefined })).toBe("x,\n");
  });

  it("keeps a text that looks like a formula from being one, and negative numbers as they are", () => {
    expect(csvRow(columns, { name: '=HYPERLINK("x")', value: -2 })).toBe('"\'=HYPERLINK(""x"")",-2\n');
    expect(csvRow(columns, { name: "@SUM(1)", value: 0 })).toBe("'@SUM(1),0\n");
    expect(csvRow(columns, { name: "\t=1", value: 0 })).toBe("'\t=1,0\n");
    expect(csvRow(columns, { name: "\r=1", value: 0 })).toBe('"\'\r=1",0\n');
  });
});
