import { describe, expect, it } from "vitest";
import { createRedactionSession } from "../project/index.ts";
import { shownBlocks } from "./shown-blocks.ts";

const full = { slice: "full", maxChars: 24_000 } as const;
const secret = `ghp_${"a1B2".repeat(9)}`;

describe("shownBlocks", () => {
  it("takes gold, outcome and secrets out of a state that another program stored", () => {
    const stored = {
      question: "Which lamp?",
      evidence: `the north lamp burned, said ${secret}`,
      gold_candidate_id: "cand-1",
      gold_answer: "the north lamp",
      success: true,
      api_key: secret,
    };
    const { blocks, redacted } = shownBlocks(stored, full, createRedactionSession());
    expect(redacted).toBe(true);
    expect(blocks.map(({ name, kind }) => name ?? kind)).toEqual(["question", "evidence"]);
    expect(JSON.stringify(blocks)).not.toContain(secret);
    expect(JSON.stringify(blocks)).not.toMatch(/cand-1|gold|success/);
  });

  it("leaves a state that was projected before as it is", () => {
    const stored = { blocks: [{ kind: "evidence", text: "insulin secretion, n = 120, gold standard" }] };
    const shown = shownBlocks(stored, full, createRedactionSession());
    expect(shown).toEqual({ blocks: stored.blocks, truncated: false, redacted: false });
  });

  it("gives one secret one placeholder in all states of a session", () => {
    const session = createRedactionSession();
    const other = `ghp_${"z9Y8".repeat(9)}`;
    const textOf = (text: string) =>
      shownBlocks({ blocks: [{ kind: "evidence", text }] }, full, session).blocks[0]!.text;
    const first = textOf(`${other} then ${secret}`);
    expect(textOf(secret)).toBe(first.split(" then ")[1]);
  });
});
