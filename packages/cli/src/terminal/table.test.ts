import { describe, expect, it } from "vitest";
import { printable, renderTable } from "./table.ts";

describe("printable", () => {
  it("takes out what moves a cursor or turns the direction of text", () => {
    expect(printable("a\u001b[2Jb\nc\u202ed\u2066e\u0085f\u200bg")).toBe("a [2Jb c d e f g");
  });

  it("cuts with a mark and keeps what fits", () => {
    expect([printable("abcdef", 4), printable("abcd", 4)]).toEqual(["abc…", "abcd"]);
  });
});

describe("renderTable", () => {
  it("puts numbers to the right, words to the left, and no space at line ends", () => {
    const table = renderTable(
      [
        { title: "step", cell: (row: [string, string]) => row[0] },
        { title: "gain", align: "right", cell: (row) => row[1] },
        { title: "", cell: () => "" },
      ],
      [
        ["retrieve", "+1.5"],
        ["x", "-10.25"],
      ],
    );
    expect(table).toBe("step        gain\nretrieve    +1.5\nx         -10.25");
  });
});
