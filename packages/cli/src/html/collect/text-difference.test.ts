import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { textDifference, type Segment } from "./text-difference.ts";

const without = (segments: readonly Segment[], op: Segment["op"]): string =>
  segments
    .filter((segment) => segment.op !== op)
    .map(({ text }) => text)
    .join("");

describe("textDifference", () => {
  it("marks the words that changed", () => {
    expect(textDifference("the north lamp burned all night", "the south lamp burned all night")).toEqual([
      { op: "same", text: "the " },
      { op: "removed", text: "north" },
      { op: "added", text: "south" },
      { op: "same", text: " lamp burned all night" },
    ]);
  });

  it("shows texts with little in common one after the other", () => {
    const before = "a careful note about the river and its stones";
    const after = "the pipe was replaced in autumn by a fitter";
    expect(textDifference(before, after).map(({ op }) => op)).toEqual(["removed", "added"]);
  });

  it("shortens what stayed and says by how much", () => {
    const [head] = textDifference(`${"stay ".repeat(100)}old`, `${"stay ".repeat(100)}new`);
    expect(head).toMatchObject({ op: "same", omitted: expect.any(Number) as number });
  });

  it("holds both texts: what is not added is the old one, what is not removed the new one", () => {
    const words = fc.array(fc.constantFrom("a", "bb", " ", "\n", "ccc.", "😀", "\uD83D"), { maxLength: 22 });
    fc.assert(
      fc.property(words, words, (a, b) => {
        const [before, after] = [a.join(""), b.join("")];
        const segments = textDifference(before, after);
        expect(without(segments, "added")).toBe(before);
        expect(without(segments, "removed")).toBe(after);
      }),
      { numRuns: 500 },
    );
  });

  it("is empty for equal texts but for the text itself", () => {
    expect(textDifference("same", "same")).toEqual([{ op: "same", text: "same" }]);
    expect(textDifference("", "")).toEqual([]);
  });

  it("gives up on large texts without reading them twice, and keeps a bounded part", () => {
    const [a, b] = ["xyx".repeat(400_000), "zwz".repeat(400_000)];
    const segments = textDifference(a, b);
    expect(segments.map(({ op }) => op)).toEqual(["removed", "added"]);
    for (const { text, omitted } of segments) {
      expect(text.length).toBeLessThanOrEqual(6000);
      expect(text.length + omitted!).toBe(1_200_000);
    }
  });

  it("finds a small change in the middle of a large text", () => {
    const long = "word ".repeat(100_000);
    const segments = textDifference(`${long}old ${long}`, `${long}new ${long}`);
    expect(segments.filter(({ op }) => op !== "same")).toEqual([
      { op: "removed", text: "old" },
      { op: "added", text: "new" },
    ]);
  });
});
