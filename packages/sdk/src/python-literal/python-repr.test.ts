import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reprBytes, reprText, reprValue } from "./python-repr.ts";
import { readPython, readPythonLiteral } from "./read-python.ts";

describe("reprText and reprBytes", () => {
  // Printed by CPython 3.11: repr(t), repr(t.encode()).
  it.each<[string, string, string]>([
    ["", "''", "b''"],
    ["plain", "'plain'", "b'plain'"],
    ["it's", `"it's"`, `b"it's"`],
    ['say "x"', `'say "x"'`, `b'say "x"'`],
    [`it's "both"`, `'it\\'s "both"'`, `b'it\\'s "both"'`],
    ["\\", "'\\\\'", "b'\\\\'"],
    ["\n\r\t", "'\\n\\r\\t'", "b'\\n\\r\\t'"],
    ["\0\x1f\x7f", "'\\x00\\x1f\\x7f'", "b'\\x00\\x1f\\x7f'"],
    ["\u00a0\u00ad", "'\\xa0\\xad'", "b'\\xc2\\xa0\\xc2\\xad'"],
    ["\u200d\u2028", "'\\u200d\\u2028'", "b'\\xe2\\x80\\x8d\\xe2\\x80\\xa8'"],
    ["é 日😀", "'é 日😀'", "b'\\xc3\\xa9 \\xe6\\x97\\xa5\\xf0\\x9f\\x98\\x80'"],
    ["\u{e0001}", "'\\U000e0001'", "b'\\xf3\\xa0\\x80\\x81'"],
  ])("write %j as CPython does", (text, asText, asBytes) => {
    expect(reprText(text)).toBe(asText);
    expect(reprBytes(text)).toBe(asBytes);
  });

  it("write what the reader reads as the same text again", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 40 }), (text) => {
        expect(readPythonLiteral(`[${reprText(text)}]`)).toEqual([text]);
        fc.pre(!text.includes("\0"));
        expect(readPythonLiteral(`[${reprBytes(text)}]`)).toEqual([text]);
      }),
      { numRuns: 500 },
    );
  });
});

it("reprValue writes dicts and lists", () => {
  const value = { a: [1, -2.5, null, true, false, "x"], "it's": {} };
  expect(reprValue(value)).toBe(`{'a': [1, -2.5, None, True, False, 'x'], "it's": {}}`);
  expect(readPython(reprValue(value), 64, 100)).toMatchObject({ isLiteral: true, root: { value } });
});
