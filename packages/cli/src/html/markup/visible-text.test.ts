import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { shortText, textPieces, visibleText } from "./visible-text.ts";

describe("visibleText", () => {
  it("names what would turn, hide or break a text", () => {
    expect(visibleText("a\u202Eexe.txt")).toBe("a⟨U+202E⟩exe.txt");
    expect(visibleText("\u0000\u0007\u001B[31m")).toBe("⟨U+0000⟩⟨U+0007⟩⟨U+001B⟩[31m");
    expect(visibleText("zero\u200Bwidth \uFEFF soft\u00ADhyphen")).toBe(
      "zero⟨U+200B⟩width ⟨U+FEFF⟩ soft⟨U+00AD⟩hyphen",
    );
    expect(visibleText("tag \u{E0041}, selector \u{E0101}")).toBe("tag ⟨U+E0041⟩, selector ⟨U+E0101⟩");
    expect(visibleText("lone \uD83D and \uDE00")).toBe("lone ⟨U+D83D⟩ and ⟨U+DE00⟩");
    expect(visibleText("line\u2028sep \uFFFF")).toBe("line⟨U+2028⟩sep ⟨U+FFFF⟩");
  });

  it("leaves honest text alone: letters of any script, emoji, tabs, line ends, joiners inside words", () => {
    for (const text of ["tab\tand\nline\r\n", "שלום مرحبا", "می\u200Cخواهم", "👩\u200D💻 👍🏽 ❤️", "e\u0301"]) {
      expect(visibleText(text)).toBe(text);
    }
  });

  it("names a joiner that joins nothing, and a carriage return that ends no line", () => {
    expect(visibleText("a\u200D b\rc")).toBe("a⟨U+200D⟩ b⟨U+000D⟩c");
  });

  it("cuts a text into pieces that stand for all of it, whatever it is", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 700 }), (text) => {
        const pieces = [...textPieces(text)];
        expect(pieces.reduce((sum, { units }) => sum + units, 0)).toBe(text.length);
        expect(
          pieces.filter(({ hidden }) => !hidden).every(({ text: plain }) => visibleText(plain) === plain),
        ).toBe(true);
      }),
    );
  });
});

describe("shortText", () => {
  it("cuts between code points, on one line, and names hidden characters that count as blank", () => {
    expect(shortText("one\n  two", 80)).toBe("one two");
    expect(shortText("😀😀😀😀", 3)).toBe("😀😀…");
    expect(shortText("a\uFEFFb", 80)).toBe("a⟨U+FEFF⟩b");
    expect(shortText("x".repeat(1_000_000), 5)).toBe("xxxx…");
  });
});
