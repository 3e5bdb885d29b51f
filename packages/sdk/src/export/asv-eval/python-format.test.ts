import { describe, expect, it } from "vitest";
import { sha256Hex } from "../../schema/index.ts";
import { csvTable } from "./csv.ts";
import { PythonFloat, pythonFloatText } from "./python-float.ts";
import { compareCodePoints, pythonJson } from "./python-json.ts";
import { round6 } from "./python-round.ts";

// Expected texts were printed by Python 3.11: repr, round, json.dumps and csv.DictWriter.

describe("pythonFloatText", () => {
  it.each([
    [0, "0.0"],
    [-0, "-0.0"],
    [1, "1.0"],
    [-20, "-20.0"],
    [0.1, "0.1"],
    [0.0001, "0.0001"],
    [0.000099, "9.9e-05"],
    [0.00001, "1e-05"],
    [1e-7, "1e-07"],
    [5e-324, "5e-324"],
    [9999999999999998, "9999999999999998.0"],
    [1e16, "1e+16"],
    [123456789012345680, "1.2345678901234568e+17"],
    [1e22, "1e+22"],
    [-1.5e300, "-1.5e+300"],
  ])("writes %d as %s", (value, text) => {
    expect(pythonFloatText(value)).toBe(text);
  });
});

describe("round6", () => {
  it.each([
    // Odd multiples of 1/128 are exact ties: 7812.5, 23437.5 and 39062.5 millionths go to the even neighbour.
    [1 / 128, 0.007812],
    [3 / 128, 0.023438],
    [-1 / 128, -0.007812],
    [-3 / 128, -0.023438],
    [5 / 128, 0.039062],
    // Not ties: the double nearest to these lies on one side.
    [0.0000005, 0],
    [0.0000015, 0.000002],
    [2.6755555, 2.675556],
    [38.9013877113, 38.901388],
    [1e21, 1e21],
  ])("rounds %d to %d", (value, rounded) => {
    expect(round6(value)).toBe(rounded);
  });

  it("keeps the sign of zero", () => {
    expect(round6(-1e-9)).toBe(-0);
    expect(round6(-0)).toBe(-0);
    expect(round6(1e-9)).toBe(0);
  });
});

describe("pythonJson", () => {
  const value = {
    b: [1, 2.5, 1e-7, null, true, {}],
    a: 'é\u2028\n"\\',
    "\u{1F600}": 1,
    "\uffee": 2,
    Z: -0,
    n: [],
    e: new PythonFloat(1e16),
  };

  it("is json.dumps with sorted keys and raw characters", () => {
    const text = pythonJson(value);
    expect(text).toBe(
      '{"Z": -0.0, "a": "é\u2028\\n\\"\\\\", "b": [1, 2.5, 1e-07, null, true, {}], "e": 1e+16, "n": [], ' +
        '"\uffee": 2, "\u{1F600}": 1}',
    );
    expect(sha256Hex(text)).toBe("aba0eab1b495640ae4bb9010132e62eb28754e8ddbe8a46dd2f1a20908a08e1f");
  });

  it("indents like json.dumps(indent=2)", () => {
    expect(pythonJson({ b: [1, { x: [] }], a: {} }, 2)).toBe(
      '{\n  "a": {},\n  "b": [\n    1,\n    {\n      "x": []\n    }\n  ]\n}',
    );
  });

  it("orders by code point, where UTF-16 units differ", () => {
    expect(["\u{1F600}", "\uffee", "a", "", "ab"].sort(compareCodePoints)).toEqual([
      "",
      "a",
      "ab",
      "\uffee",
      "\u{1F600}",
    ]);
  });

  it("writes whole numbers beyond 2^53 as floats, and keys like __proto__ as keys", () => {
    expect(pythonJson(1e17)).toBe("1e+17");
    expect(pythonJson(JSON.parse('{"__proto__": 1}') as Record<string, number>)).toBe('{"__proto__": 1}');
  });
});

describe("csvTable", () => {
  it("is csv.DictWriter", () => {
    const rows = [
      ['x,"y"', null],
      ["l\nm", new PythonFloat(-0)],
      [" s ", new PythonFloat(1e-6)],
    ];
    expect(csvTable(["a", "b"], rows)).toBe('a,b\r\n"x,""y""",\r\n"l\nm",-0.0\r\n s ,1e-06\r\n');
  });
});
