import { describe, expect, it } from "vitest";
import { tokenise } from "./tokenise.ts";

describe("tokenise", () => {
  it("stems English words and leaves stop words whole", () => {
    // Porter: "connections" -> "connect", "running" -> "run"; unstemmed, "this" would become "thi".
    expect(tokenise("This is running: Connections!")).toEqual(["this", "is", "run", "connect"]);
  });

  it.each([
    ["1,234,567", ["1234567"]],
    ["$900,000.50", ["900000.50"]],
    ["12\u202f000 and 12\u00a0000", ["12000", "and", "12000"]],
    ["1'000'000", ["1000000"]],
    ["1, 2,3", ["1", "2", "3"]],
    ["1,2345", ["1", "2345"]],
    ["0.1,234", ["0.1", "234"]],
    ["17.056", ["17.056"]],
    ["v1.2.3.", ["v1", "2.3"]],
  ])("reads numbers: %s", (text, tokens) => {
    expect(tokenise(text)).toEqual(tokens);
  });

  it("folds compatibility forms and case", () => {
    expect(tokenise("ＡＢＣ ﬁsh x²")).toEqual(["abc", "fish", "x2"]);
  });

  it("composes accents, so that both spellings of a name are one token", () => {
    expect(tokenise("Cafe\u0301")).toEqual(tokenise("Café"));
  });

  it("gives one token a letter in scripts without spaces, and whole words in others", () => {
    expect(tokenise("我住在北京市。")).toEqual(["我", "住", "在", "北", "京", "市"]);
    expect(tokenise("Москва, Αθήνα")).toEqual(["москва", "αθήνα"]);
    expect(tokenise("GPT模型4")).toEqual(["gpt", "模", "型", "4"]);
  });

  it("finds nothing in punctuation and symbols", () => {
    expect(tokenise("?! … → 😀 +")).toEqual([]);
    expect(tokenise("")).toEqual([]);
  });

  it("survives lone surrogates", () => {
    expect(tokenise("a\ud800b")).toEqual(["a", "b"]);
  });
});
