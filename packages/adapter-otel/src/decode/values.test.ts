import { describe, expect, it } from "vitest";
import { anyValue, plainValue } from "./attribute-value.ts";
import { attributesOf } from "./attributes.ts";
import { parseExactJson } from "./exact-json.ts";
import { identifierOf } from "./identifier.ts";
import { nanosOf } from "./nanos.ts";

describe("anyValue", () => {
  it.each([
    ['{"stringValue":""}', ""],
    ['{"string_value":"a"}', "a"],
    ['{"stringValue":"\\ud800x"}', "\ufffdx"],
    ['{"boolValue":false}', false],
    ['{"intValue":"9223372036854775807"}', 9223372036854775807n],
    ['{"intValue":9223372036854775807}', 9223372036854775807n],
    ['{"int_value":"-5"}', -5],
    ['{"doubleValue":"-Infinity"}', -Infinity],
    ['{"doubleValue":"NaN"}', NaN],
    // The JavaScript serializer's NaN.
    ['{"doubleValue":null}', NaN],
    ['{"doubleValue":1.5}', 1.5],
    ['{"doubleValue":"two"}', null],
    ['{"bytesValue":"AQI="}', new Uint8Array([1, 2])],
    ['{"arrayValue":{"values":[{"intValue":1},{}]}}', [1, null]],
    ['{"arrayValue":{}}', []],
    ['{"stringValueStrindex":4}', null],
    ["{}", null],
    ['"bare"', "bare"],
  ])("reads %s", (json, value) => {
    expect(anyValue(parseExactJson(json))).toEqual(value);
  });

  it("reads objects without a prototype, whatever their keys", () => {
    const json = '{"kvlistValue":{"values":[{"key":"__proto__","value":{"intValue":1}},{"key":"a"}]}}';
    const object = anyValue(JSON.parse(json)) as Record<string, unknown>;
    expect(Object.getPrototypeOf(object)).toBe(null);
    expect(Object.entries(object)).toEqual([
      ["__proto__", 1],
      ["a", null],
    ]);
    expect(Object.getPrototypeOf(plainValue(JSON.parse('{"__proto__":{"x":1}}')))).toBe(null);
    expect(({} as { x?: number }).x).toBeUndefined();
  });

  it("refuses what is nested too deeply", () => {
    let value: unknown = { intValue: 1 };
    for (let i = 0; i < 300; i++) value = { arrayValue: { values: [value] } };
    expect(() => anyValue(value)).toThrow(RangeError);
    expect(() => plainValue(JSON.parse("[".repeat(300) + "]".repeat(300)))).toThrow(RangeError);
  });
});

describe("attributesOf", () => {
  it("takes OTLP's list, a plain object and pairs; the last of two wins", () => {
    const list = [
      { key: "a", value: { intValue: 1 } },
      { key: "a", value: { intValue: 2 } },
      { key: 3 },
      null,
    ];
    expect([...attributesOf(list)]).toEqual([["a", 2]]);
    expect([...attributesOf({ a: [1], b: null })]).toEqual([
      ["a", [1]],
      ["b", null],
    ]);
    expect([...attributesOf([["a", "x"]])]).toEqual([["a", "x"]]);
    expect(attributesOf("text").size).toBe(0);
  });
});

describe("identifierOf", () => {
  const hex = "5b8efff798038103d269b633813fc60c";

  it.each([
    [hex, hex],
    [hex.toUpperCase(), hex],
    [`0x${hex}`, hex],
    [Buffer.from(hex, "hex").toString("base64"), hex],
    [Buffer.from(hex, "hex").toString("base64").replace("==", ""), hex],
    ["0".repeat(32), undefined],
    ["", undefined],
    [null, undefined],
    [0, undefined],
    [17, "17"],
    // Jaeger leaves leading zeros out.
    ["3f2a", "3f2a"],
    ["run:7", "run:7"],
    ["x".repeat(200), undefined],
  ])("reads %s", (value, id) => {
    expect(identifierOf(value, 16)).toBe(id);
  });

  it("reads bytes, and integers beyond 2^53 as their digits", () => {
    expect(identifierOf(Buffer.from(hex, "hex"), 16)).toBe(hex);
    expect(identifierOf(new Uint8Array(16), 16)).toBeUndefined();
    expect(identifierOf(parseExactJson("15531323892744358789"), 8)).toBe("15531323892744358789");
  });
});

it("keeps plain ids apart that are as long as base64", () => {
  const ids = Array.from({ length: 64 }, (_, i) => identifierOf(String(12_345_678_900 + i), 8));
  expect(new Set(ids).size).toBe(64);
});

describe("nanosOf", () => {
  it.each([
    [[1770131992, 242000001], 1770131992242000001n],
    ["1770131992242000001", 1770131992242000001n],
    [1770131992242000, 1770131992242000000n],
    [1770131992242, 1770131992242000000n],
    [1770131992.5, 1770131992500000000n],
    ["2026-02-03T15:19:52.123456789Z", 1770131992123456789n],
    ["2026-02-03T16:19:52.5+01:00", 1770131992500000000n],
    ["2026-02-03 15:19:52", 1770131992000000000n],
    ["yesterday", undefined],
    [null, undefined],
  ])("reads %s", (value, nanos) => {
    expect(nanosOf(value)).toBe(nanos);
  });
});
