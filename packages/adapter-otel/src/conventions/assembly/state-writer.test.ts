import { createRedactionSession, projectState, type Block } from "@agent-step-value/sdk";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { entryOf, type Entry } from "./entry.ts";
import { StateWriter } from "./state-writer.ts";

const secret = `ghp_${"a1B2".repeat(9)}`;

function entry(block: Block): Entry {
  const { text, ...rest } = block;
  return { ...entryOf({ is: "field", kind: "other", text }, ""), block: rest };
}

const text = fc.oneof(
  fc.string({ minLength: 1, maxLength: 60 }),
  fc.constantFrom(
    "x",
    `use ${secret} now`,
    '{"request_id":"r-1","q":2}',
    "word ".repeat(3000),
    `${"y".repeat(9000)} ${secret}`,
  ),
);
const block = fc.record({
  kind: fc.constantFrom<Block["kind"]>("message", "evidence", "answer"),
  name: fc.constantFrom("a", "tool"),
  text,
});

describe("StateWriter", () => {
  it("writes what the SDK's projection makes of the whole transcript, whatever its size", () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 1, maxLength: 20 }),
        fc.array(block, { maxLength: 16 }),
        (question, blocks) => {
          const task: Block = { kind: "task", text: question };
          const writer = new StateWriter(entry(task));
          const session = createRedactionSession();
          const shown: Block[] = [task];
          for (const one of blocks) {
            writer.append([entry(one)]);
            shown.push(one);
            expect(writer.state()).toEqual(projectState({ blocks: shown }, undefined, session).state);
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  it("keeps one object for one state, and none for nothing", () => {
    const writer = new StateWriter(entry({ kind: "task", text: "" }));
    expect(writer.state()).toBeUndefined();
    writer.append([entry({ kind: "evidence", text: "one" })]);
    const state = writer.state();
    writer.append([]);
    writer.append([entry({ kind: "evidence", text: "" })]);
    writer.change(new Set(), []);
    expect(writer.state()).toBe(state);
  });

  it("takes blocks out and puts others after those they follow", () => {
    const task = entry({ kind: "task", text: "q" });
    const writer = new StateWriter(task);
    const [one, two, three, four] = ["1", "2", "3", "4"].map((n) => entry({ kind: "evidence", text: n }));
    writer.append([one!, two!]);
    writer.change(new Set([one!]), [
      { after: task, entry: three! },
      { after: three!, entry: four! },
      { after: undefined, entry: one! },
    ]);
    expect((writer.state() as unknown as { blocks: Block[] }).blocks.map((shown) => shown.text)).toEqual([
      "q",
      "3",
      "4",
      "2",
      "1",
    ]);
  });

  it("counts a rule once a text, not once a state", () => {
    const writer = new StateWriter(entry({ kind: "task", text: "q" }));
    for (const n of [1, 2, 3]) {
      writer.append([entry({ kind: "evidence", text: `${n} ${secret}` })]);
      writer.state();
    }
    expect(writer.redaction.hits).toEqual({ "github-token": 3 });
  });

  it("leaves out a field whose name is that of an answer, an outcome or a credential, and counts it", () => {
    const field = (name: string, value: string): Entry =>
      entryOf({ is: "field", kind: "other", name, text: value }, "");
    const writer = new StateWriter(entry({ kind: "task", text: "q" }));
    writer.append([
      field("expected_output", "Lisbon"),
      field("ground_truth", '["Lisbon"]'),
      field("is_correct", "true"),
      field("final_score", "0.75"),
      field("created", "1764547200"),
      field("password", "Tr0ub4dor&3"),
      field("draft", "It is Porto."),
      field("success", "two of three searches found something"),
    ]);
    const { blocks } = writer.state() as unknown as { blocks: Block[] };
    expect(blocks.map(({ name }) => name)).toEqual([undefined, "draft", "success"]);
    expect(writer.redaction.hits).toEqual({
      "key-answer": 2,
      "key-created": 1,
      "key-credential": 1,
      "key-final-score": 1,
      "key-success": 1,
    });
  });
});
