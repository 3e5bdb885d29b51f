import { describe, expect, test } from "vitest";
import type { State } from "../schema/index.ts";
import { blockKindOf, isBlockState, sliceBlocks, stateBlocks } from "./index.ts";

describe("stateBlocks", () => {
  test("blocks as they are", () => {
    const blocks = [
      { kind: "task", text: "q" },
      { kind: "answer", name: "n", text: "a", truncated: { chars: 3 } },
    ];
    expect(stateBlocks({ blocks } as State)).toBe(blocks);
  });
  test("any other object: one block a key, in file order, strings as they are, the rest canonical JSON", () => {
    expect(
      stateBlocks({
        question: "q",
        zeta: { b: 1, a: [1.0, "x"] },
        draft: "",
        n: 0,
        nil: null,
        retrieval: [],
      }),
    ).toEqual([
      { kind: "task", name: "question", text: "q" },
      { kind: "other", name: "zeta", text: '{"a":[1,"x"],"b":1}' },
      { kind: "answer", name: "draft", text: "" },
      { kind: "other", name: "n", text: "0" },
      { kind: "other", name: "nil", text: "null" },
      { kind: "evidence", name: "retrieval", text: "[]" },
    ]);
  });
  test("the empty state has no blocks", () => expect(stateBlocks({})).toEqual([]));
  test("a stored lone surrogate does not throw", () => {
    expect(stateBlocks(JSON.parse('{"notes": ["\\ud800"]}') as State)).toEqual([
      { kind: "reasoning", name: "notes", text: '["\\ud800"]' },
    ]);
  });
  test.each<[string, unknown]>([
    ["unknown kind", { blocks: [{ kind: "x", text: "a" }] }],
    ["no text", { blocks: [{ kind: "task" }] }],
    ["text is no string", { blocks: [{ kind: "task", text: 1 }] }],
    ["name is no string", { blocks: [{ kind: "task", text: "a", name: 1 }] }],
    ["further field", { blocks: [{ kind: "task", text: "a", x: 1 }] }],
    ["negative count", { blocks: [{ kind: "task", text: "a", truncated: { chars: -1 } }] }],
    ["block is null", { blocks: [null] }],
    ["further key", { blocks: [], question: "q" }],
    ["not a list", { blocks: "stone" }],
    ["bad truncated", { blocks: [], truncated: { chars: 1 } }],
  ])("is read as a host's own object: %s", (_, state) => {
    expect(isBlockState(state as State)).toBe(false);
    expect(stateBlocks(state as State)[0]).toMatchObject({ kind: "other", name: "blocks" });
  });
});

test.each([
  ["question", "task"],
  ["userQuery", "task"],
  ["completed_steps", "plan"],
  ["chat-history", "message"],
  ["toolCalls", "tool_call"],
  ["supported_claims", "evidence"],
  ["last_observation", "evidence"],
  ["rationale", "reasoning"],
  ["final_answer", "answer"],
  ["DRAFT", "answer"],
  ["post_audit", "audit"],
  ["whatever", "other"],
  ["__proto__", "other"],
  ["constructor", "other"],
])("%s is %s", (name, kind) => expect(blockKindOf(name)).toBe(kind));

describe("sliceBlocks", () => {
  const kinds = [
    "task",
    "plan",
    "message",
    "tool_call",
    "evidence",
    "reasoning",
    "answer",
    "audit",
    "other",
  ] as const;
  const blocks = kinds.map((kind) => ({ kind, text: kind }));
  const kept = (slice: "full" | "evidence" | "agent-output" | "none") =>
    sliceBlocks(blocks, slice).map(({ kind }) => kind);

  test("full is everything, none is nothing", () => {
    expect(kept("full")).toEqual(kinds);
    expect(kept("none")).toEqual([]);
  });
  test("evidence is task and evidence", () => expect(kept("evidence")).toEqual(["task", "evidence"]));
  test("agent-output is task and what the agent wrote", () => {
    expect(kept("agent-output")).toEqual([
      "task",
      "plan",
      "message",
      "tool_call",
      "reasoning",
      "answer",
      "audit",
    ]);
  });
});
