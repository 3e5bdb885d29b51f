import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { csvLine, parseCsv } from "./csv-table.ts";

const cellsOf = (text: string) => parseCsv(text, "list.csv").map(({ cells }) => cells);

describe("parseCsv", () => {
  it("reads what csvLine writes, whatever stands in the cells", () => {
    const text = fc.oneof(
      fc.string({ unit: "grapheme", maxLength: 12 }),
      fc.string({
        unit: fc.constantFrom("=", "'", '"', ",", ";", "\t", "\n", "\r", "+", "a", " "),
        maxLength: 8,
      }),
    );
    const row = fc.array(text, { minLength: 2, maxLength: 5 });
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 5 }), (rows) => {
        const header = ["row_id", "b", "c", "d", "e", "f"];
        expect(cellsOf([header, ...rows].map(csvLine).join(""))).toEqual([header, ...rows]);
      }),
      { numRuns: 500 },
    );
  });

  it("reads what spreadsheets save: a mark at the start, semicolons or tabs, CRLF, no end of line", () => {
    expect(cellsOf("\ufeffa;b\r\n1;2,5\r\n")).toEqual([
      ["a", "b"],
      ["1", "2,5"],
    ]);
    expect(cellsOf('a\tb\n"x\ty"\tz')).toEqual([
      ["a", "b"],
      ["x\ty", "z"],
    ]);
  });

  it("knows the line that each row begins on, past quoted line ends and blank lines", () => {
    const rows = parseCsv('a,b\n"one\ntwo",x\n\nlast,y\n', "list.csv");
    expect(rows.map(({ line }) => line)).toEqual([1, 2, 5]);
  });

  it("disarms texts that a spreadsheet would run", () => {
    expect(csvLine(["=HYPERLINK(1)", "+1", "-1+cmd", "-1.5e-7", "@a", "'=x", "plain"])).toBe(
      "'=HYPERLINK(1),'+1,'-1+cmd,-1.5e-7,'@a,''=x,plain\r\n",
    );
  });

  it.each([
    ['a,b\n"open,1\n2,3', "list.csv:2"],
    ['a,b\n1,2\n"x"y,3\n', "list.csv:3"],
  ])("refuses %j with its line", (text, place) => {
    expect(() => parseCsv(text, "list.csv")).toThrow(place);
  });

  it("has no rows for an empty text", () => {
    expect(cellsOf("")).toEqual([]);
    expect(cellsOf("\n\n")).toEqual([]);
  });
});
