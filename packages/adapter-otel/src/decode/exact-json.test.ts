import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exactInteger, parseExactJson } from "./exact-json.ts";

describe("parseExactJson", () => {
  it("keeps every digit of integers beyond 2^53", () => {
    const parsed = parseExactJson(
      '{"id":115825058289444712299650141807529952578,"t":[-9007199254740993]}',
    ) as {
      id: unknown;
      t: unknown[];
    };
    expect(exactInteger(parsed.id)).toBe(115825058289444712299650141807529952578n);
    expect(exactInteger(parsed.t[0])).toBe(-9007199254740993n);
  });

  it("leaves everything else as JSON.parse has it", () => {
    const texts = [
      "[9007199254740991, -9007199254740991, 1e20, 1.2345678901234567e+19, 12345678901234567.5, 0.12345678901234567]",
      '"12345678901234567890"',
      '{"12345678901234567890":"a \\"12345678901234567890\\" \\\\"}',
      '["\\\\", 1, "\\\\\\"", 1e-1234567890123456789]',
    ];
    for (const text of texts) expect(parseExactJson(text)).toEqual(JSON.parse(text));
  });

  it("finds the same texts invalid", () => {
    for (const text of [
      '{"a":12345678901234567890',
      "[01234567890123456789]",
      '"12345678901234567890',
      "1234567890123456789x",
    ]) {
      expect(() => parseExactJson(text)).toThrow(SyntaxError);
    }
  });

  it("names the place of an error in the text as it was given", () => {
    const text = '{"a":12345678901234567890,"b":12345678901234567890,x';
    expect(() => parseExactJson(text)).toThrow(new RegExp(`at position ${text.indexOf("x")}\\b`));
  });

  it("is exact for any integer among any JSON", () => {
    const big = fc.bigInt({ min: -(2n ** 130n), max: 2n ** 130n });
    fc.assert(
      fc.property(fc.json(), fc.array(big, { minLength: 1 }), (json, integers) => {
        const [other, ...list] = parseExactJson(`[${json},${integers.join(" , ")}]`) as unknown[];
        expect(list.map((item) => exactInteger(item) ?? BigInt(item as number))).toEqual(integers);
        // No integer of arbitrary JSON is that long but in strings and as doubles written with an exponent.
        if (!/\d{16}/.test(json)) expect(other).toEqual(JSON.parse(json));
      }),
    );
  });
});
