import type { Block } from "@agent-step-value/sdk";
import { describe, expect, it } from "vitest";
import { stateDifference } from "./state-difference.ts";

const block = (name: string, text: string, kind: Block["kind"] = "evidence"): Block => ({ kind, name, text });

describe("stateDifference", () => {
  it("tells what came, went and changed, in the order of the states", () => {
    const before = [block("a", "one"), block("b", "two"), block("c", "three words here")];
    const after = [block("a", "one"), block("c", "three words there"), block("d", "four")];
    const change = stateDifference(before, after);
    expect(change.changes.map(({ op, name }) => [op, name])).toEqual([
      ["removed", "b"],
      ["changed", "c"],
      ["added", "d"],
    ]);
    expect(change.unchanged).toBe(1);
    expect(change.omitted).toBe(0);
  });

  it("says nothing of equal states", () => {
    const blocks = [block("a", "one")];
    expect(stateDifference(blocks, [block("a", "one")])).toEqual({ changes: [], unchanged: 1, omitted: 0 });
  });

  it("takes a block of the same kind and name for the same block, however far its text went", () => {
    const { changes } = stateDifference(
      [block("draft", "x y z", "answer")],
      [block("draft", "p q r", "answer")],
    );
    expect(changes).toHaveLength(1);
    expect(changes[0]).toMatchObject({ op: "changed", kind: "answer", name: "draft" });
  });

  it("keeps blocks without a name apart from those named undefined", () => {
    const { changes } = stateDifference([{ kind: "other", text: "x" }], [block("undefined", "x", "other")]);
    expect(changes.map(({ op }) => op)).toEqual(["removed", "added"]);
  });

  it("lists a bounded number of blocks and counts the rest", () => {
    const many = Array.from({ length: 5000 }, (_, i) => block(`n${i}`, `text ${i}`));
    const { changes, omitted, unchanged } = stateDifference([], many);
    expect(changes).toHaveLength(24);
    expect(omitted).toBe(4976);
    expect(unchanged).toBe(0);
  });
});
