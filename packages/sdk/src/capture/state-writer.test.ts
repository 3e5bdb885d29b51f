import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BLOCK_KINDS, type Block } from "../schema/index.ts";
import { redactionPolicies } from "./redaction-policies.ts";
import { Redactor } from "./redactor.ts";
import type { Snapshot } from "./snapshot.ts";
import { BlockWriter } from "./state-writer.ts";

const KEY = `ghp_${"Zq81LmP0xk47Tr93vBaa".repeat(2).slice(0, 36)}`;

function writer(redactor: Redactor): BlockWriter {
  return new BlockWriter(redactor, (state) => redactor.snapshot(state)!);
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

const texts = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.constantFrom(
    "",
    "plain words that go on",
    KEY,
    `the key is ${KEY}, keep it`,
    JSON.stringify({ q: "alpha", password: "hunter2hunter2" }),
    JSON.stringify({ q: "alpha", hits: ["lorem ipsum ".repeat(30), 3, null] }),
    "[SECRET:github-token:1] stands here already",
    JSON.stringify({ note: "[SECRET:github-token:2]" }).replace("[", "\\u005b"),
    "lone \ud800 half",
    "é😀".repeat(400),
  ),
);
const blocks = fc.record({ kind: fc.constantFrom(...BLOCK_KINDS), name: texts, text: texts });

describe("BlockWriter", () => {
  it("gives the states that a projection of all blocks gives, in whatever order secrets come", () => {
    const stages = fc.array(
      fc.record({ more: fc.array(blocks, { maxLength: 4 }), anew: fc.integer({ min: 0, max: 5 }) }),
      { maxLength: 6 },
    );
    fc.assert(
      fc.property(stages, fc.constantFrom(200, 24_000), (given, maxChars) => {
        const policies = redactionPolicies({ maxChars });
        const state = writer(new Redactor(policies));
        const thorough = new Redactor(redactionPolicies({ maxChars, maxDepth: 64 }));
        let all: Block[] = [];
        for (const { more, anew } of given) {
          if (anew === 0) {
            state.clear();
            all = [];
          }
          for (const block of more) state.add(block.kind, block.name, block.text);
          all = [...all, ...more];
          const [a, b] = [state.snapshot(), thorough.snapshot({ blocks: all })];
          expect(a.text).toBe(b?.text);
          expect(a.sha256).toBe(digest(a.text));
          expect(a.hits).toEqual(b?.hits);
        }
      }),
      { numRuns: 500 },
    );
  });

  it("gives the same snapshot as long as nothing is added", () => {
    const state = writer(new Redactor(redactionPolicies()));
    state.add("task", "user", "How far?");
    const first = state.snapshot();
    expect(state.snapshot()).toBe(first);
    state.add("answer", "assistant", "Far.");
    expect(state.snapshot()).not.toBe(first);
    expect(first.text).toBe('{"blocks":[{"kind":"task","name":"user","text":"How far?"}]}');
  });

  it("an earlier snapshot stays what it was", () => {
    const state = writer(new Redactor(redactionPolicies()));
    const taken: { snapshot: Snapshot; text: string }[] = [];
    for (let i = 0; i < 50; i += 1) {
      state.add("message", "user", `${i} `.repeat(60));
      const snapshot = state.snapshot();
      taken.push({ snapshot, text: `${snapshot.text}` });
    }
    for (const { snapshot, text } of taken) {
      expect(snapshot.text).toBe(text);
      expect(snapshot.sha256).toBe(digest(text));
    }
    expect(taken.at(-1)!.text.length).toBeGreaterThan(8000);
  });

  it("more blocks than a copy may have are cut as a projection cuts them", () => {
    const redactor = new Redactor(redactionPolicies());
    const state = writer(redactor);
    const all: Block[] = Array.from({ length: 2500 }, (_, i) => ({
      kind: "message",
      name: "user",
      text: `${i}`,
    }));
    for (const { kind, name, text } of all) state.add(kind, name!, text);
    expect(state.snapshot().text).toBe(redactor.snapshot({ blocks: all })?.text);
  });

  it("asks a host's own `project` about the whole state", () => {
    const policies = redactionPolicies({}, (live) => {
      const { blocks: shown } = live as { blocks: Block[] };
      return { blocks: shown.filter(({ name }) => name !== "diary") };
    });
    const state = writer(new Redactor(policies));
    state.add("message", "diary", "nobody's business");
    state.add("message", "user", "hello");
    expect(state.snapshot().text).toBe('{"blocks":[{"kind":"message","name":"user","text":"hello"}]}');
  });

  it("is not changed by a `project` that changes what it is given", () => {
    const policies = redactionPolicies({}, (live) => {
      const { blocks: given } = live as { blocks: Block[] };
      given.pop();
      for (const block of given) block.text += "!";
      return { blocks: given };
    });
    const state = writer(new Redactor(policies));
    const shown = ["a", "b", "c"].map((text) => {
      state.add("message", "user", text);
      return (JSON.parse(state.snapshot().text) as { blocks: Block[] }).blocks.map((block) => block.text);
    });
    expect(shown).toEqual([[], ["a!"], ["a!", "b!"]]);
  });

  it("asks a rule of the caller's own about every text of every state", () => {
    const asked: string[] = [];
    const detector = (text: string) => {
      asked.push(text);
      return [];
    };
    const state = writer(new Redactor(redactionPolicies({ detectors: [detector] })));
    state.add("message", "user", "hello");
    state.snapshot();
    state.add("message", "user", "again");
    state.snapshot();
    expect(asked.filter((text) => text === "hello")).toHaveLength(2);
  });
});
