import { expect, it } from "vitest";
import { toolName } from "./tool-name.ts";

it.each([
  ["search", "search"],
  ["execute_tool search", "search"],
  ["running tool: get_weather", "get_weather"],
  ["tools/call read_file", "read_file"],
  ["tool.HelloTool", "HelloTool"],
  ["lookup_price.tool", "lookup_price"],
  ["handoff to Math Specialist", "transfer_to_math_specialist"],
  ["execute_tool ", "execute_tool "],
])("%s is the tool %s", (span, name) => {
  expect(toolName(span)).toBe(name);
});
