import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PartialText } from "./partial-text.ts";

const chars = fc.array(fc.string({ maxLength: 5 }), { maxLength: 6 });

describe("PartialText", () => {
  it("is what the reader was given of the step under way, however far behind it is", () => {
    fc.assert(
      fc.property(chars, chars, fc.nat({ max: 12 }), (first, second, behind) => {
        const partial = new PartialText();
        const deltas = [...first, ...second];
        const early = Math.max(0, first.length - behind);
        deltas.slice(0, early).forEach((delta) => partial.given(delta));
        expect(partial.text).toBe(first.slice(0, early).join(""));
        partial.stepEnded(first.join("").length);
        expect(partial.text).toBe("");
        deltas.slice(early).forEach((delta) => partial.given(delta));
        expect(partial.text).toBe(second.join(""));
      }),
    );
  });

  it("of a step without a result, all that was given was its own", () => {
    const partial = new PartialText();
    partial.given("first");
    partial.stepEnded(undefined);
    partial.given("second");
    expect(partial.text).toBe("second");
  });

  it("keeps no more than 8,000 characters", () => {
    const partial = new PartialText();
    partial.given("a".repeat(7999));
    partial.given("bc");
    partial.given("d");
    expect(partial.text).toBe(`${"a".repeat(7999)}b`);
  });
});
