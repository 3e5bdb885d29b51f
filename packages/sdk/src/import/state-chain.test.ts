import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRedactionSession, projectState } from "../project/index.ts";
import { BLOCK_KINDS, type Block } from "../schema/index.ts";
import { StateChain } from "./state-chain.ts";

const secret = fc.integer({ min: 0, max: 3 }).map((n) => `password=hunter-${n}-x9Q7 and more`);
const text = fc.oneof(
  { weight: 4, arbitrary: fc.string({ maxLength: 40 }) },
  { weight: 2, arbitrary: secret },
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 9_000 }).map((n) => "word ".repeat(n / 5 + 1)) },
);
const block: fc.Arbitrary<Block> = fc.record(
  { kind: fc.constantFrom(...BLOCK_KINDS), name: fc.string({ maxLength: 12 }), text },
  { requiredKeys: ["kind", "text"] },
);

describe("StateChain", () => {
  it("gives the states a projection of all blocks would give, with the same counts", () => {
    fc.assert(
      fc.property(fc.array(fc.array(block, { maxLength: 4 }), { minLength: 1, maxLength: 8 }), (turns) => {
        const chain = new StateChain();
        const session = createRedactionSession();
        const hits = new Map<string, number>();
        const all: Block[] = [];
        const whole = () => {
          const { state, report } = projectState({ blocks: [...all] }, undefined, session);
          for (const [rule, n] of Object.entries(report.hits)) hits.set(rule, (hits.get(rule) ?? 0) + n);
          return state;
        };
        whole();
        for (const turn of turns) {
          if (turn.length === 0) continue;
          all.push(...turn);
          expect(chain.append(...turn).stateAfter).toEqual(whole());
        }
        expect(chain.redaction.hits).toEqual(Object.fromEntries(hits));
      }),
      { numRuns: 60 },
    );
  });

  it("replaces from where the blocks differ, and knows when nothing changed", () => {
    const message = (words: string): Block => ({ kind: "message", text: words });
    const chain = new StateChain({ kind: "task", text: "q" }, message("token=abcDEF123456ghiJKL"));
    const before = chain.state;
    expect(chain.replace([{ kind: "task", text: "q" }, message("token=abcDEF123456ghiJKL")])).toBe(false);
    expect(chain.state).toBe(before);
    expect(chain.replace([{ kind: "task", text: "q" }, message("b"), message("c")])).toBe(true);
    expect(chain.state).toEqual({ blocks: [{ kind: "task", text: "q" }, message("b"), message("c")] });
    expect(chain.append().stateBefore).toBe(chain.state);
  });

  it("shows a secret outside the states as in them", () => {
    const chain = new StateChain({ kind: "task", text: "use password=hunter-2-x9Q7 now" });
    const shown = (chain.state["blocks"] as unknown as Block[])[0]!.text;
    expect(shown).toMatch(/\[SECRET:[a-z-]+:1\]/);
    expect(chain.redact("use password=hunter-2-x9Q7 now")).toBe(shown);
  });

  it("counts what an old state lost, and grows by 10,000 blocks", () => {
    const chain = new StateChain({ kind: "task", text: "q" });
    for (let i = 0; i < 10_000; i++)
      chain.append({ kind: "evidence", text: `finding ${i} `.padEnd(300, "x") });
    const { blocks, truncated } = chain.state as unknown as { blocks: Block[]; truncated: unknown };
    expect(blocks[0]).toEqual({ kind: "task", text: "q" });
    expect(blocks.at(-1)!.text).toContain("finding 9999");
    const shown = blocks.reduce((sum, { text: words }) => sum + words.length, 0);
    expect(truncated).toEqual({ chars: 3_000_001 - shown, blocks: 10_001 - blocks.length });
  });
});
