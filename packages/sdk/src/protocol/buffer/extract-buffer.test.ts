import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Block } from "../../schema/index.ts";
import { extractBuffer } from "./extract-buffer.ts";

const question = "Does aspirin lower stroke risk?";
const candidates = [
  { id: "cand-1", text: "Aspirin lowers stroke risk." },
  { id: "cand-2", text: "Warfarin is needed." },
];
const blocks: Block[] = [
  { kind: "task", text: question },
  { kind: "evidence", text: "The weather was fine. Aspirin lowers stroke risk by a third! Costs rose." },
  { kind: "message", text: "Warfarin is needed in few.\nSee you." },
];

describe("extractBuffer", () => {
  it("lifts the telling sentences, in the state's order, within its size", () => {
    // 15 tokens = 60 characters: the aspirin sentence (38 + 1) covers most; then 21 are left, which
    // the warfarin sentence (26) does not fit; of the others the latest that fits comes first.
    expect(extractBuffer({ question, blocks, candidates }, 15)).toBe(
      "Aspirin lowers stroke risk by a third!\nCosts rose.\nSee you.",
    );
    expect(extractBuffer({ question, blocks, candidates }, 17)).toBe(
      "Aspirin lowers stroke risk by a third!\nWarfarin is needed in few.",
    );
  });

  it("never repeats the question and is empty without a state", () => {
    expect(extractBuffer({ question, blocks: blocks.slice(0, 1), candidates }, 100)).toBe("");
    expect(extractBuffer({ question, blocks: [], candidates }, 100)).toBe("");
  });

  it("holds only whole sentences of the state, no more than its size, the same every time", () => {
    const text = fc.array(fc.constantFrom("aspirin", "stroke", "x.", "risk!", "\n", "warfarin", "no", "?"), {
      maxLength: 30,
    });
    fc.assert(
      fc.property(fc.array(text, { maxLength: 4 }), fc.integer({ min: 1, max: 40 }), (texts, maxTokens) => {
        const state = texts.map((words) => ({ kind: "evidence" as const, text: words.join(" ") }));
        const buffer = extractBuffer({ question, blocks: state, candidates }, maxTokens);
        expect(buffer.length).toBeLessThanOrEqual(maxTokens * 4);
        for (const line of buffer.split("\n"))
          expect(state.some((block) => block.text.includes(line)) || line === "").toBe(true);
        expect(extractBuffer({ question, blocks: state, candidates }, maxTokens)).toBe(buffer);
      }),
    );
  });
});
