import { expect, it } from "vitest";
import { toolResult } from "./result-text.ts";

it.each<[string, unknown, string | undefined, boolean, string?]>([
  ["nothing recorded", undefined, undefined, false],
  ["a text", "0.0", "0.0", false],
  ["None", "null", "null", false],
  ["a number", 714, "714", false],
  ["JSON text as it is", '{ "a": 1 }', '{ "a": 1 }', false],
  ["an object", { a: 1 }, '{"a":1}', false],
  [
    "text parts",
    [
      { type: "text", text: "a" },
      { type: "text", text: "b" },
    ],
    "a\nb",
    false,
  ],
  ["another list", '["a", {"b": 1}]', '["a", {"b": 1}]', false],
  ["an MCP result", { content: [{ type: "text", text: "rows" }], isError: false }, "rows", false],
  ["an MCP error", '{"content":[{"type":"text","text":"denied"}],"isError":true}', "denied", true],
  ["an AI SDK output", { type: "json", value: { a: 1 } }, '{"a":1}', false],
  ["an AI SDK error", { type: "error-text", value: "down" }, "down", true],
  [
    "a LangChain message",
    { type: "tool", content: "found", tool_call_id: "c1", status: "success" },
    "found",
    false,
    "c1",
  ],
  [
    "a wrapped LangChain message",
    {
      output: { lc: 1, id: ["ToolMessage"], kwargs: { content: "no", tool_call_id: "c2", status: "error" } },
    },
    "no",
    true,
    "c2",
  ],
  ["a Python repr", "{'rows': [1, None]}", '{"rows":[1,null]}', false],
  ["a 64-bit integer", 15531323892744358789n, "15531323892744358789", false],
])("unwraps %s", (_, value, text, failed, id) => {
  const result = toolResult(value);
  expect({ text: result.text, failed: result.failed, id: result.id }).toEqual({ text, failed, id });
});

it("writes bytes as a data URI, which the projection describes", () => {
  expect(toolResult({ file: new Uint8Array([1, 2, 3]) }).text).toBe(
    '{"file":"data:application/octet-stream;base64,AQID"}',
  );
});
