import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ChatMessage } from "./chat-message.ts";
import { conversationBlocks, newConversation } from "./message-blocks.ts";
import { readMessages } from "./read-messages.ts";

const shown = (value: unknown, role: "user" | "assistant" = "user") =>
  readMessages(value, role)?.map(({ role: by, name, parts }: ChatMessage) => [
    name === undefined ? by : `${by}:${name}`,
    ...parts.map((part) => {
      switch (part.is) {
        case "call":
          return `call ${part.name} ${part.text}`;
        case "result":
          return `${part.failed ? "failed" : "result"} ${part.name ?? part.id ?? "?"} ${part.text}`;
        default:
          return `${part.is} ${part.text}`;
      }
    }),
  ]);

const call = 'call find {"a":1,"q":"x"}';

describe("readMessages", () => {
  it.each<[string, unknown, unknown[][]]>([
    ["a text", "hello", [["user", "text hello"]]],
    [
      "OpenAI chat, with calls whose arguments are JSON text",
      [
        { role: "system", content: "be kind" },
        {
          role: "assistant",
          content: null,
          tool_calls: [
            { id: "c1", type: "function", function: { name: "find", arguments: '{"q": "x", "a": 1}' } },
          ],
        },
        { role: "tool", tool_call_id: "c1", name: "find", content: "found" },
      ],
      [
        ["system", "text be kind"],
        ["assistant", call],
        ["tool", "result find found"],
      ],
    ],
    [
      "OpenAI's older function calls",
      [{ role: "assistant", content: "", function_call: { name: "find", arguments: '{"a":1,"q":"x"}' } }],
      [["assistant", call]],
    ],
    [
      "OpenAI responses items: one turn that came apart is one message",
      {
        instructions: "be kind",
        input: [
          { role: "user", content: [{ type: "input_text", text: "go" }] },
          { type: "reasoning", summary: [{ type: "summary_text", text: "think" }] },
          { type: "function_call", call_id: "c1", name: "find", arguments: '{"q":"x","a":1}' },
          { type: "function_call_output", call_id: "c1", output: "found" },
        ],
      },
      [
        ["system", "text be kind"],
        ["user", "text go"],
        ["assistant", "reasoning think", call],
        ["tool", "result c1 found"],
      ],
    ],
    [
      "LangChain messages, plain and as constructors, in a batch of one",
      [
        [
          { type: "human", content: "go", additional_kwargs: {}, id: null },
          {
            lc: 1,
            type: "constructor",
            id: ["langchain", "schema", "AIMessage"],
            kwargs: { content: "", tool_calls: [{ name: "find", args: { q: "x", a: 1 }, id: "c1" }] },
          },
          { type: "tool", name: "find", content: "no", tool_call_id: "c1", status: "error" },
        ],
      ],
      [
        ["user", "text go"],
        ["assistant", call],
        ["tool", "failed find no"],
      ],
    ],
    [
      "Anthropic",
      {
        system: [{ type: "text", text: "be kind", cache_control: {} }],
        messages: [
          {
            role: "assistant",
            content: [
              { type: "thinking", thinking: "think", signature: "c2ln" },
              { type: "tool_use", id: "t1", name: "find", input: { q: "x", a: 1 } },
            ],
          },
          {
            role: "user",
            content: [
              {
                type: "tool_result",
                tool_use_id: "t1",
                is_error: true,
                content: [{ type: "text", text: "no" }],
              },
            ],
          },
        ],
      },
      [
        ["system", "text be kind"],
        ["assistant", "reasoning think", call],
        ["user", "failed t1 no"],
      ],
    ],
    [
      "Gemini",
      {
        contents: [
          { role: "user", parts: [{ text: "go" }] },
          { role: "model", parts: [{ functionCall: { name: "find", args: { q: "x", a: 1 } } }] },
          { role: "function", parts: [{ functionResponse: { name: "find", response: { found: 1 } } }] },
        ],
      },
      [
        ["user", "text go"],
        ["assistant", call],
        ["tool", 'result find {"found":1}'],
      ],
    ],
    [
      "AI SDK",
      [
        {
          role: "assistant",
          content: [
            { type: "reasoning", text: "think" },
            { type: "tool-call", toolCallId: "c1", toolName: "find", input: { q: "x", a: 1 } },
          ],
        },
        {
          role: "tool",
          content: [
            {
              type: "tool-result",
              toolCallId: "c1",
              toolName: "find",
              output: { type: "json", value: { n: 1 } },
            },
          ],
        },
      ],
      [
        ["assistant", "reasoning think", call],
        ["tool", 'result find {"n":1}'],
      ],
    ],
    [
      "OpenTelemetry GenAI parts",
      [
        {
          role: "assistant",
          parts: [{ type: "tool_call", id: "c1", name: "find", arguments: { q: "x", a: 1 } }],
        },
        { role: "tool", parts: [{ type: "tool_call_response", id: "c1", response: "found" }] },
      ],
      [
        ["assistant", call],
        ["tool", "result c1 found"],
      ],
    ],
    [
      "Inspect, where a tool's complaint stands beside its content",
      [
        {
          role: "assistant",
          content: "on it",
          tool_calls: [{ id: "c1", function: "find", arguments: { q: "x", a: 1 } }],
        },
        {
          role: "tool",
          function: "find",
          tool_call_id: "c1",
          content: "",
          error: { type: "timeout", message: "late" },
        },
      ],
      [
        ["assistant", "text on it", call],
        ["tool", "failed find late"],
      ],
    ],
    [
      "Responses items that have an id of their own beside the call's",
      [
        { type: "function_call", id: "fc_1", call_id: "c1", name: "find", arguments: '{"q":"x","a":1}' },
        { type: "function_call_output", id: "fo_1", call_id: "c1", output: "found" },
      ],
      [
        ["assistant", call],
        ["tool", "result c1 found"],
      ],
    ],
    [
      "Bedrock",
      [
        {
          role: "assistant",
          content: [
            { text: "on it" },
            { toolUse: { toolUseId: "c1", name: "find", input: { q: "x", a: 1 } } },
          ],
        },
        {
          role: "user",
          content: [
            { toolResult: { toolUseId: "c1", status: "error", content: [{ text: "no" }, { text: "luck" }] } },
          ],
        },
      ],
      [
        ["assistant", "text on it", call],
        ["user", "failed c1 no\nluck"],
      ],
    ],
    [
      "Gemini in snake case, with its thoughts",
      {
        contents: [
          {
            role: "model",
            parts: [
              { text: "hm", thought: true },
              { function_call: { name: "find", args: { q: "x", a: 1 } } },
            ],
          },
          {
            role: "user",
            parts: [{ function_response: { id: "c1", name: "find", response: { result: 7 } } }],
          },
        ],
      },
      [
        ["assistant", "reasoning hm", call],
        ["user", 'result find {"result":7}'],
      ],
    ],
    [
      "the AI SDK's failed tools",
      [
        {
          role: "tool",
          content: [
            {
              type: "tool-result",
              toolCallId: "c1",
              toolName: "find",
              output: { type: "error-text", value: "down" },
            },
            { type: "tool-error", toolCallId: "c2", toolName: "find", error: "late" },
            {
              type: "tool-result",
              toolCallId: "c3",
              toolName: "find",
              output: { type: "execution-denied", reason: "no" },
            },
            {
              type: "tool-result",
              toolCallId: "c4",
              toolName: "find",
              output: { type: "text", value: "error-text" },
            },
          ],
        },
      ],
      [["tool", "failed find down", "failed find late", "failed find no", "result find error-text"]],
    ],
    [
      "results that say nothing but an error, or that there was none",
      [
        {
          role: "user",
          content: [
            { type: "tool_result", tool_use_id: "c1", error: { code: 7 } },
            { type: "tool_result", tool_use_id: "c2", error: false },
          ],
        },
      ],
      [["user", 'failed c1 {"code":7}', "result c2 "]],
    ],
    [
      "results of the Model Context Protocol, failed and not",
      [
        {
          role: "tool",
          tool_call_id: "c1",
          content: { content: [{ type: "text", text: "denied" }], isError: true },
        },
        {
          role: "tool",
          tool_call_id: "c2",
          content: { content: [{ type: "text", text: "rows" }], isError: false },
        },
      ],
      [
        ["tool", "failed c1 denied"],
        ["tool", "result c2 rows"],
      ],
    ],
    [
      "tau2's messages of several tools",
      [
        {
          role: "tool",
          tool_messages: [
            { role: "tool", id: "c1", content: "one", error: false },
            { role: "tool", id: "c2", content: "two", error: true },
          ],
        },
      ],
      [
        ["tool", "result c1 one"],
        ["tool", "failed c2 two"],
      ],
    ],
    [
      "named speakers and roles of their own",
      [
        { role: "Critic", content: "no" },
        { role: "user", name: "Ann", content: "yes" },
      ],
      [
        ["critic", "text no"],
        ["user:Ann", "text yes"],
      ],
    ],
    [
      "media as an address without its query, or as bytes",
      [
        {
          role: "user",
          content: [
            { type: "image_url", image_url: { url: "https://h/p.png?sig=abc#x" } },
            { type: "image", source: { type: "base64", media_type: "image/png", data: "QUJD" } },
            { type: "file" },
          ],
        },
      ],
      [["user", "text [image_url https://h/p.png]", "text data:image/png;base64,QUJD", "text [file]"]],
    ],
  ])("reads %s", (_, value, messages) => {
    expect(shown(value)).toEqual(messages);
  });

  it.each<[string, unknown, unknown[][]]>([
    [
      "choices",
      { choices: [{ message: { role: "assistant", content: "yes" } }] },
      [["assistant", "text yes"]],
    ],
    [
      "text and calls side by side",
      { text: "on it", toolCalls: [{ toolCallId: "c1", toolName: "find", args: { q: "x", a: 1 } }] },
      [["assistant", "text on it", call]],
    ],
    [
      "bare calls, as the AI SDK writes them",
      [{ toolCallId: "c1", toolName: "find", input: '{"q":"x","a":1}' }],
      [["assistant", call]],
    ],
    ["a content without a role", { content: "yes" }, [["assistant", "text yes"]]],
    ["Anthropic's content", [{ type: "text", text: "yes" }], [["assistant", "text yes"]]],
    [
      "what a graph's node gave back",
      { messages: [{ type: "ai", content: "yes" }] },
      [["assistant", "text yes"]],
    ],
  ])("reads a reply of %s", (_, value, messages) => {
    expect(shown(value, "assistant")).toEqual(messages);
  });

  it("leaves out tools that are listed among messages, and encrypted reasoning", () => {
    expect(
      shown([
        { role: "user", content: "go" },
        { role: "tool", content: { type: "function", function: { name: "find", parameters: {} } } },
        {
          role: "assistant",
          content: [
            { type: "redacted_thinking", data: "x" },
            { type: "reasoning", redacted: true, reasoning: "x9" },
          ],
        },
      ]),
    ).toEqual([["user", "text go"], ["assistant"]]);
  });

  it("takes a call that stands twice in one message once", () => {
    const twice = {
      role: "assistant",
      content: [{ type: "tool_use", id: "c1", name: "find", input: { q: "x", a: 1 } }],
      tool_calls: [{ id: "c1", name: "find", args: { q: "x", a: 1 } }],
    };
    expect(shown([twice])).toEqual([["assistant", call]]);
  });

  it.each([null, undefined, 7, {}, [], { content: "role" }, { a: { b: 1 } }, "  ", [1, null]])(
    "finds nothing in %j",
    (value) => {
      expect(readMessages(value, "user")).toBeUndefined();
    },
  );

  it("never throws, whatever it is given, and makes blocks of it", () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 6 }),
        fc.constantFrom("user" as const, "assistant" as const),
        (value, role) => {
          const blocks = conversationBlocks(readMessages(value, role) ?? [], newConversation("q"));
          expect(blocks.every(({ text }) => typeof text === "string")).toBe(true);
        },
      ),
    );
  });

  it("reads what is nested deeper than JSON can be written", () => {
    let deep: unknown = "x";
    for (let i = 0; i < 20_000; i++) deep = [deep];
    expect(shown([{ role: "user", content: { a: deep } }])).toEqual([["user", "text [REMOVED:depth]"]]);
  });
});
