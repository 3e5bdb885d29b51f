import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { candidateCues, MAX_CUES } from "./candidate-cues.ts";
import { searchedText } from "./searched-text.ts";
import { splitWords } from "./split-words.ts";

const find = (cue: string, ...texts: string[]) => searchedText(texts).find(splitWords(cue));

describe("searchedText", () => {
  it("finds words whatever their case, punctuation and digit groups", () => {
    expect(find("Insulin Secretion", "It raised INSULIN-secretion.")).toBe("verbatim");
    expect(find("1,200 mg", "a dose of 1200 mg")).toBe("verbatim");
    expect(find("3.5", "by 3.5 points")).toBe("verbatim");
    expect(find("3.5", "by 35 points")).toBe("absent");
  });

  it("finds other endings by their stem", () => {
    expect(find("secretes insulin", "secreting insulin")).toBe("stem");
    expect(find("fractures", "a fracture")).toBe("stem");
    expect(find("universe", "university")).toBe("stem"); // Porter's stemmer takes them for one word.
    expect(find("gauge", "gauze")).toBe("absent");
  });

  it("wants a phrase in order and in one piece, inside one text", () => {
    expect(find("pore sealing", "sealing pore")).toBe("absent");
    expect(find("pore sealing", "pore by sealing")).toBe("absent");
    expect(find("pore sealing", "the pore", "sealing it")).toBe("absent");
    expect(find("pore sealing", "a pore, pore sealing")).toBe("verbatim");
  });

  it("reads scripts without spaces letter by letter, and words named like object internals", () => {
    expect(find("京都", "古い京都の町")).toBe("verbatim");
    expect(find("京都", "東京の都")).toBe("absent");
    expect(find("__proto__ constructor", "see constructor")).toBe("absent");
    expect(find("constructor", "see constructor")).toBe("verbatim");
    expect(find("constructor", "")).toBe("absent");
  });

  it("finds every cue of a text in the text itself, word for word", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), (text) => {
        const searched = searchedText([text]);
        for (const cue of candidateCues(text).cues) expect(searched.find(cue)).toBe("verbatim");
      }),
    );
  });

  it("takes a line of a megabyte", () => {
    const searched = searchedText(["salt exchange ".repeat(75_000)]);
    expect(searched.find(["salt", "exchange"])).toBe("verbatim");
    expect(searched.find(["exchange", "pore"])).toBe("absent");
  });
});

describe("candidateCues", () => {
  const cuesOf = (text: string) => candidateCues(text).cues.map((words) => words.join(" "));

  it("takes runs of content words, and each content word", () => {
    expect(cuesOf("It works through mineral buffering in trial b3.")).toEqual([
      "mineral buffering",
      "trial b3",
      "works",
      "mineral",
      "buffering",
      "trial",
      "b3",
    ]);
  });

  it("takes each once, cuts long runs, and has none for function words alone", () => {
    expect(cuesOf("salt salt")).toEqual(["salt salt", "salt"]);
    expect(cuesOf("one2 two2 three2 four2 five2 six2").slice(0, 1)).toEqual(["one2 two2 three2 four2 five2"]);
    expect(cuesOf("It is what it is.")).toEqual([]);
    expect(cuesOf("…!?")).toEqual([]);
  });

  it("counts what is beyond the most it lists", () => {
    const text = Array.from({ length: 60 }, (_, i) => `word${i} and`).join(" ");
    const found = candidateCues(text);
    expect(found.cues).toHaveLength(MAX_CUES);
    expect(found.leftOut).toBe(20);
  });
});
