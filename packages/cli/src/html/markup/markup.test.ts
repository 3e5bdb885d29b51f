import fc from "fast-check";
import { parseHTML } from "linkedom";
import { describe, expect, it } from "vitest";
import { joined, markup, ownMarkup } from "./markup.ts";
import { visibleText } from "./visible-text.ts";

interface Parsed {
  document: {
    querySelectorAll(selector: string): {
      length: number;
      [i: number]: { textContent: string; getAttribute(name: string): string };
    };
  };
}

function parse(html: string): Parsed["document"] {
  return (parseHTML(`<!doctype html><html><body>${html}</body></html>`) as unknown as Parsed).document;
}

describe("markup", () => {
  it("escapes what comes from outside, in text and in attributes", () => {
    const evil = `"><script>alert('1')</script>&amp;\``;
    expect(String(markup`<p title="${evil}">${evil}</p>`)).toBe(
      '<p title="&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;amp;&#96;">' +
        "&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;amp;&#96;</p>",
    );
  });

  it("takes markup as it is, lists one after the other, and nothing for what is not there", () => {
    const inner = markup`<b>${1.5}</b>`;
    expect(String(markup`${[inner, " ", [inner]]}${undefined}${null}${false}`)).toBe("<b>1.5</b> <b>1.5</b>");
    expect(String(ownMarkup("<i>x</i>"))).toBe("<i>x</i>");
    expect(String(joined(["a", "<", "c"], ", ", " and "))).toBe("a, &lt; and c");
  });

  it("does not take for markup what only looks like it", () => {
    const forged = { toString: () => "<script>" };
    expect(() => String(markup`${forged as unknown as string}`)).toThrow(TypeError);
  });

  it("refuses a value where quotes do not protect it", () => {
    expect(() => markup`<p class=${"x"}>`).toThrow("outside quotes");
    expect(() => markup`<${"script"}>`).toThrow("outside quotes");
    expect(() => markup`<a href="x"${"onclick=1"}>`).toThrow("outside quotes");
    expect(String(markup`<p class="a ${"b"}">${"<"}</p>`)).toBe('<p class="a b">&lt;</p>');
  });

  it("puts any text into one element and one attribute, and no more", () => {
    const hostile = fc.oneof(
      fc.string({ unit: "binary" }),
      fc
        .array(
          fc.constantFrom(
            "<",
            ">",
            '"',
            "'",
            "&",
            "`",
            "/",
            "script",
            "--",
            "]]>",
            "=",
            "\u0000",
            "\u202E",
            "x",
          ),
        )
        .map((parts) => parts.join("")),
    );
    fc.assert(
      fc.property(hostile, (text) => {
        const document = parse(String(markup`<p id="one" title="${text}">${text}</p>`));
        const all = document.querySelectorAll("body *");
        expect(all.length).toBe(1);
        expect(all[0]!.textContent).toBe(visibleText(text));
        expect(all[0]!.getAttribute("title")).toBe(visibleText(text));
      }),
      { numRuns: 300 },
    );
  });
});
