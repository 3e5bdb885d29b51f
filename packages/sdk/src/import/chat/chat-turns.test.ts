import { describe, expect, it } from "vitest";
import { chatTurns, firstQuestion } from "./chat-turns.ts";
import { readMessages } from "./read-messages.ts";

const conversation = readMessages(
  [
    { role: "system", content: "be kind" },
    { role: "assistant", content: "Hello." },
    { role: "user", content: " Which city? " },
    {
      role: "assistant",
      content: "Both at once.",
      tool_calls: [
        { id: "1", function: { name: "find", arguments: "{}" } },
        { id: "2", function: { name: "map", arguments: "{}" } },
        { id: "3", function: { name: "find", arguments: "{}" } },
      ],
    },
    { role: "tool", tool_call_id: "2", content: "a map" },
    { role: "assistant", content: "Kyoto." },
    { role: "user", content: "Thanks." },
  ],
  "user",
)!;

describe("chatTurns", () => {
  it("opens with what came first, and gives each turn what came back", () => {
    const question = firstQuestion(conversation);
    expect(question).toBe(" Which city? ");
    const { opening, turns } = chatTurns(conversation, question);
    expect(opening).toEqual([{ kind: "message", name: "system", text: "be kind" }]);
    expect(turns.map(({ index, type, calls }) => [index, type, calls])).toEqual([
      [1, "respond", 0],
      [3, "find+map", 3],
      [5, "respond", 0],
    ]);
    expect(turns.flatMap(({ blocks }) => blocks.map(({ kind, name, text }) => [kind, name, text]))).toEqual([
      ["answer", "assistant", "Hello."],
      ["task", undefined, " Which city? "],
      ["reasoning", "assistant", "Both at once."],
      ["tool_call", "find", "{}"],
      ["tool_call", "map", "{}"],
      ["tool_call", "find", "{}"],
      ["evidence", "map", "a map"],
      ["answer", "assistant", "Kyoto."],
      ["message", "user", "Thanks."],
    ]);
  });

  it("takes messages that are no turns for context", () => {
    const { opening, turns } = chatTurns(conversation, "Which city?", (index) => index === 5);
    expect(opening).toHaveLength(8);
    expect(turns.map(({ index }) => index)).toEqual([5]);
  });

  it("gives nothing for nothing", () => {
    expect(chatTurns([], "")).toEqual({ opening: [], turns: [] });
    expect(firstQuestion([])).toBe("");
  });
});
