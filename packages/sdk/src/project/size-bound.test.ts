import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Block, BlockState } from "../schema/index.ts";
import { projectState, stateBlocks } from "./index.ts";
import { blocksSize, boundBlocks } from "./size-bound.ts";

const block = (kind: Block["kind"], text: string, more: Partial<Block> = {}): Block => ({
  kind,
  text,
  ...more,
});

function texts(state: BlockState): string[] {
  return state.blocks.map(({ text }) => text);
}

describe("a state at the limit", () => {
  const blocks = [
    block("task", "t".repeat(10)),
    block("evidence", "e".repeat(60)),
    block("answer", "a".repeat(30)),
  ];
  test("of exactly its size stays as it is", () => {
    expect(boundBlocks({ blocks }, 100)).toEqual({ blocks });
  });
  test("one character less cuts one character, from the oldest block that is not the task", () => {
    expect(boundBlocks({ blocks }, 99)).toEqual({
      blocks: [blocks[0], block("evidence", "e".repeat(59), { truncated: { chars: 1 } }), blocks[2]],
      truncated: { chars: 1, blocks: 0 },
    });
  });
  test("names count", () => {
    const named = [block("answer", "a".repeat(9), { name: "n" })];
    expect(boundBlocks({ blocks: named }, 10)).toEqual({ blocks: named });
    expect(texts(boundBlocks({ blocks: named }, 9))).toEqual(["a".repeat(8)]);
  });
});

describe("what is kept", () => {
  test("the task and the newest; what is older than the first cut goes whole", () => {
    const state = {
      blocks: [
        block("evidence", "1".repeat(50)),
        block("task", "task"),
        block("evidence", "2".repeat(50)),
        block("message", "3".repeat(50)),
      ],
    };
    const cut = boundBlocks(state, 70);
    expect(texts(cut)).toEqual(["task", "2".repeat(16), "3".repeat(50)]);
    expect(cut.truncated).toEqual({ chars: 50 + 34, blocks: 1 });
  });
  test("a block keeps its end, the task its beginning", () => {
    const state = { blocks: [block("task", "abcdefghij"), block("answer", "klmnopqrst")] };
    expect(texts(boundBlocks(state, 10))).toEqual(["abcde", "pqrst"]);
  });
  test("a long task leaves half to the rest, and takes what the rest does not need", () => {
    const task = block("task", "t".repeat(1000));
    expect(
      blocksSize(boundBlocks({ blocks: [task, block("answer", "a".repeat(1000))] }, 100).blocks.slice(0, 1)),
    ).toBe(50);
    expect(texts(boundBlocks({ blocks: [task, block("answer", "a".repeat(10))] }, 100))).toEqual([
      "t".repeat(90),
      "a".repeat(10),
    ]);
  });
  test("a long text is cut at a blank where one is near", () => {
    const text = "word ".repeat(400);
    const [kept] = texts(boundBlocks({ blocks: [block("message", text)] }, 998));
    expect(kept).toBe("word ".repeat(199));
  });
  test("earlier cuts stay counted", () => {
    const state: BlockState = {
      blocks: [block("answer", "a".repeat(20), { truncated: { chars: 5 } })],
      truncated: { chars: 105, blocks: 2 },
    };
    expect(boundBlocks(state, 10)).toEqual({
      blocks: [block("answer", "a".repeat(10), { truncated: { chars: 15 } })],
      truncated: { chars: 115, blocks: 2 },
    });
  });
  test("a surrogate pair is never split, at either end", () => {
    const smiles = "😀".repeat(10);
    expect(texts(boundBlocks({ blocks: [block("answer", smiles)] }, 7))).toEqual(["😀😀😀"]);
    expect(texts(boundBlocks({ blocks: [block("task", smiles)] }, 7))).toEqual(["😀😀😀"]);
  });
  test("thousands of empty blocks are too many", () => {
    const cut = boundBlocks({ blocks: Array.from({ length: 5000 }, () => block("other", "")) }, 100);
    expect(cut.blocks).toHaveLength(2000);
    expect(cut.truncated).toEqual({ chars: 0, blocks: 3000 });
  });
  test("a name longer than 200 characters is cut", () => {
    expect(
      boundBlocks({ blocks: [block("other", "", { name: "n".repeat(300) })] }, 1000).blocks[0]?.name,
    ).toHaveLength(200);
  });
});

const anyBlock = fc.record({
  kind: fc.constantFrom("task", "evidence", "answer", "other") as fc.Arbitrary<Block["kind"]>,
  text: fc.string({ unit: fc.constantFrom("a", " ", "😀", "é"), maxLength: 80 }),
});

test("property: never above the limit, every character accounted for, order kept", () => {
  fc.assert(
    fc.property(
      fc.array(anyBlock, { maxLength: 8 }),
      fc.integer({ min: 1, max: 400 }),
      (blocks, maxChars) => {
        const cut = boundBlocks({ blocks }, maxChars);
        expect(blocksSize(cut.blocks)).toBeLessThanOrEqual(maxChars);
        expect(blocksSize(cut.blocks) + (cut.truncated?.chars ?? 0)).toBe(blocksSize(blocks));
        expect(cut.blocks.length + (cut.truncated?.blocks ?? 0)).toBe(blocks.length);
        for (const { text } of cut.blocks) expect(text).not.toMatch(/\p{Surrogate}/u);
        expect(boundBlocks(cut, maxChars)).toEqual(cut);
      },
    ),
    { numRuns: 300 },
  );
});

describe("projectState", () => {
  test("keeps an object of 24,000 characters and cuts one of 24,001 into blocks", () => {
    const question = "q".repeat(100);
    const room = 24_000 - question.length - "question".length - "draft".length;
    const whole = { question, draft: "d".repeat(room) };
    expect(projectState(whole).state).toEqual(whole);
    const { state, report } = projectState({ question, draft: "d".repeat(room + 1) });
    expect(state).toEqual({
      blocks: [
        { kind: "task", name: "question", text: question },
        { kind: "answer", name: "draft", text: "d".repeat(room), truncated: { chars: 1 } },
      ],
      truncated: { chars: 1, blocks: 0 },
    });
    expect(report.truncated).toEqual({ chars: 1, blocks: 0 });
  });
  test("keeps what sorts last: the newest key, not the first of the alphabet", () => {
    const { state } = projectState(
      { question: "q", audit: "a".repeat(9000), supported_claims: "s".repeat(9000) },
      { maxChars: 9100 },
    );
    const kept = stateBlocks(state as never);
    expect(kept.map(({ name }) => name)).toEqual(["question", "audit", "supported_claims"]);
    expect(kept[2]?.text).toBe("s".repeat(9000));
    expect(kept[1]?.text.length).toBeLessThan(100);
  });
  test("a secret that a cut sets free is found", () => {
    const key = `sk-${"aB3dE5gH7jK9mN1pQ3sT5vW7"}`;
    // Glued to a word the key is no key; cut off from it, it is.
    const text = `xx${key}`;
    const { state } = projectState({ blocks: [{ kind: "other", text }] }, { maxChars: key.length });
    expect(JSON.stringify(state)).not.toContain(key);
  });
});
