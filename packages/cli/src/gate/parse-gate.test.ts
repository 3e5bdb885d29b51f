import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseGate } from "./parse-gate.ts";

describe("a gate", () => {
  it.each([
    ["mean_margin_gain>=0", { metric: "mean_margin_gain", operator: ">=", bound: 0 }],
    [" unscored == 0 ", { metric: "unscored", operator: "==", bound: 0 }],
    ["damage_rate(audit)<=0.1", { metric: "damage_rate", of: "audit", operator: "<=", bound: 0.1 }],
    [
      "mean_margin_gain(tool:search).low > -1e-3",
      { metric: "mean_margin_gain", of: "tool:search", end: "low", operator: ">", bound: -1e-3 },
    ],
    ["mean_surprise(f(x) >= y)<2", { metric: "mean_surprise", of: "f(x) >= y", operator: "<", bound: 2 }],
    ["mean_margin_gain.high>=.5", { metric: "mean_margin_gain", end: "high", operator: ">=", bound: 0.5 }],
  ])("reads %s", (text, gate) => {
    expect(parseGate(text)).toEqual({ text: text.trim(), ...gate });
  });

  it.each([
    "",
    "mean_margin_gain",
    "mean_margin_gain >= zero",
    "mean_margin_gain >=",
    ">= 0",
    "mean margin gain >= 0",
    "damage_rate(audit <= 1",
    "mean_margin_gain >= Infinity",
    "mean_margin_gain.middle >= 0",
  ])("refuses %j by name", (text) => {
    expect(() => parseGate(text)).toThrow(expect.objectContaining({ code: "invalid_argument" }));
  });

  it("reads back any part and bound", () => {
    const part = fc.string({ minLength: 1 }).map((text) => text.trim());
    const bound = fc.double({ noNaN: true, noDefaultInfinity: true });
    fc.assert(
      fc.property(part, bound, (of, value) => {
        const gate = parseGate(`repair_rate(${of}) <= ${value}`);
        expect(gate).toMatchObject({ metric: "repair_rate", of, operator: "<=" });
        expect(Object.is(gate.bound, value) || gate.bound === value).toBe(true);
      }),
    );
  });
});
