import { describe, expect, it } from "vitest";
import { opened, textOf } from "./foreign-json.ts";

describe("textOf", () => {
  it("makes keys of a repr visible to whatever goes by names in JSON", () => {
    expect(textOf("{'query': 'x', 'gold_answer': 'y'}")).toBe('{"query":"x","gold_answer":"y"}');
    expect(textOf('{"a": 1}')).toBe('{"a": 1}');
    expect(textOf("{not one}")).toBe("{not one}");
  });
});

describe("opened", () => {
  it.each<[unknown, unknown]>([
    ["{'a': (1, None)}", { a: [1, null] }],
    ["[True, 15531323892744358789]", [true, "15531323892744358789"]],
    ['{"a": 1}', { a: 1 }],
    ["[HumanMessage(content='x')]", "[HumanMessage(content='x')]"],
    ["'a'", "'a'"],
    ["text", "text"],
    [12, 12],
  ])("opens %j", (value, open) => expect(opened(value)).toEqual(open));
});
