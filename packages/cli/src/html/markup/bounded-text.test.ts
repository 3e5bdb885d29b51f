import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { boundedMarkup, boundedText } from "./bounded-text.ts";

describe("boundedText", () => {
  it("writes what fits and counts what does not, in characters of the text", () => {
    const budget = { left: 10 };
    const { html, cut } = boundedText("<b>&tail", budget);
    // &lt; is 4 bytes, b 1, &gt; 4; &amp; would be 5 and only one is left.
    expect(String(html)).toBe("&lt;b&gt;");
    expect(cut).toBe(5);
    expect(budget.left).toBe(1);
  });

  it("marks hidden characters and shows all of a text that fits", () => {
    const { html, cut } = boundedText("a\u202E\nb\r\n", { left: 100 });
    expect(String(html)).toBe('a<span class="hid">U+202E</span>\nb\r\n');
    expect(cut).toBe(0);
  });

  it("says how much is missing", () => {
    expect(String(boundedMarkup("x".repeat(2000), { left: 500 }))).toBe(
      `${"x".repeat(500)}<span class="cut">… 1,500 more characters</span>`,
    );
  });

  it("never goes over its budget, and never cuts a code point", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary", maxLength: 400 }),
        fc.integer({ min: 0, max: 600 }),
        (text, bytes) => {
          const budget = { left: bytes };
          const { html, cut } = boundedText(text, budget);
          const written = Buffer.byteLength(String(html));
          expect(written).toBe(bytes - budget.left);
          expect(budget.left).toBeGreaterThanOrEqual(0);
          expect(cut).toBeGreaterThanOrEqual(0);
          expect(String(html)).toBe(String(html).replace(/\p{Surrogate}/gu, "!"));
          if (bytes >= 40 * text.length) expect(cut).toBe(0);
        },
      ),
    );
  });

  it("reads no further than it writes", () => {
    let read = 0;
    const characters = { next: () => ({ done: false, value: (read++, "x") }) };
    const text = { length: 1e9, [Symbol.iterator]: () => characters } as unknown as string;
    boundedText(text, { left: 100 });
    expect(read).toBeLessThan(1000);
  });
});
