import { describe, expect, it } from "vitest";
import { messageListPieces, messagePieces } from "./chat-message.ts";
import { completionPieces, conversationPieces, promptPieces } from "./conversation.ts";
import type { Piece } from "./piece.ts";

const call = (id: string | undefined, name: string, args: string): Piece => ({
  is: "call",
  ...(id !== undefined && { id }),
  name,
  args,
});
const says = (role: "system" | "user" | "assistant", text: string): Piece => ({ is: "text", role, text });

/** One turn in every dialect: a thought, a text, a call of `search`, and its result. */
const turns: [string, unknown[]][] = [
  [
    "chat completions",
    [
      {
        role: "assistant",
        content: "Looking.",
        reasoning_content: "Hm.",
        tool_calls: [{ id: "c1", type: "function", function: { name: "search", arguments: '{"q":1}' } }],
      },
      { role: "tool", tool_call_id: "c1", content: "found" },
    ],
  ],
  [
    "Responses items",
    [
      { type: "reasoning", summary: [{ type: "summary_text", text: "Hm." }] },
      { type: "message", role: "assistant", content: [{ type: "output_text", text: "Looking." }] },
      { type: "function_call", call_id: "c1", name: "search", arguments: '{"q":1}', id: "fc_1" },
      { type: "function_call_output", call_id: "c1", output: "found" },
    ],
  ],
  [
    "Anthropic",
    [
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "Hm.", signature: "abc" },
          { type: "text", text: "Looking." },
          { type: "tool_use", id: "c1", name: "search", input: { q: 1 } },
        ],
      },
      {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: "c1", content: [{ type: "text", text: "found" }] }],
      },
    ],
  ],
  [
    "GenAI conventions",
    [
      {
        role: "assistant",
        parts: [
          { type: "reasoning", content: "Hm." },
          { type: "text", content: "Looking." },
          { type: "tool_call", id: "c1", name: "search", arguments: { q: 1 } },
        ],
      },
      { role: "tool", parts: [{ type: "tool_call_response", id: "c1", response: "found" }] },
    ],
  ],
  [
    "GenAI conventions with `result`",
    [
      {
        role: "assistant",
        parts: [
          { type: "reasoning", content: "Hm." },
          { type: "text", content: "Looking." },
          { type: "tool_call", id: "c1", name: "search", arguments: { q: 1 } },
        ],
      },
      { role: "tool", parts: [{ type: "tool_call_response", id: "c1", result: "found" }] },
    ],
  ],
  [
    "Gemini",
    [
      {
        role: "model",
        parts: [
          { text: "Hm.", thought: true },
          { text: "Looking." },
          { function_call: { id: "c1", name: "search", args: { q: 1 } } },
        ],
      },
      { role: "user", parts: [{ functionResponse: { id: "c1", name: "search", response: "found" } }] },
    ],
  ],
  [
    "Bedrock",
    [
      {
        role: "assistant",
        content: [
          { reasoningContent: { reasoningText: { text: "Hm.", signature: "abc" } } },
          { text: "Looking." },
          { toolUse: { toolUseId: "c1", name: "search", input: { q: 1 } } },
        ],
      },
      {
        role: "user",
        content: [{ toolResult: { toolUseId: "c1", status: "success", content: [{ text: "found" }] } }],
      },
    ],
  ],
  [
    "AI SDK",
    [
      {
        role: "assistant",
        content: [
          { type: "reasoning", text: "Hm." },
          { type: "text", text: "Looking." },
          { type: "tool-call", toolCallId: "c1", toolName: "search", input: { q: 1 } },
        ],
      },
      {
        role: "tool",
        content: [
          {
            type: "tool-result",
            toolCallId: "c1",
            toolName: "search",
            output: { type: "text", value: "found" },
          },
        ],
      },
    ],
  ],
  [
    "LangChain constructors",
    [
      {
        lc: 1,
        type: "constructor",
        id: ["langchain_core", "messages", "AIMessageChunk"],
        kwargs: {
          content: "Looking.",
          additional_kwargs: { reasoning_content: "Hm." },
          tool_calls: [{ id: "c1", name: "search", args: { q: 1 } }],
          usage_metadata: { input_tokens: 1 },
        },
      },
      {
        lc: 1,
        type: "constructor",
        id: ["langchain", "schema", "ToolMessage"],
        kwargs: { content: "found", tool_call_id: "c1", artifact: { secret: 1 } },
      },
    ],
  ],
  [
    "LangChain dicts with calls in additional_kwargs",
    [
      {
        type: "ai",
        content: "Looking.",
        additional_kwargs: {
          reasoning_content: "Hm.",
          tool_calls: [{ id: "c1", function: { name: "search", arguments: '{"q":1}' }, type: "function" }],
        },
        response_metadata: { model_name: "m" },
      },
      { type: "tool", content: "found", tool_call_id: "c1", status: "success" },
    ],
  ],
];

describe("messagePieces", () => {
  it.each(turns)("reads a turn of %s", (_, messages) => {
    const pieces = messageListPieces(messages)!;
    expect(pieces.slice(0, 3)).toEqual([
      { is: "reasoning", text: "Hm." },
      says("assistant", "Looking."),
      call("c1", "search", '{"q":1}'),
    ]);
    expect(pieces).toHaveLength(4);
    expect(pieces[3]).toMatchObject({ is: "result", id: "c1", text: "found" });
  });

  it("keeps what an error result says, and that it is one", () => {
    expect(
      messageListPieces([
        {
          role: "user",
          content: [{ type: "tool_result", tool_use_id: "c1", is_error: true, content: "no page" }],
        },
        {
          role: "tool",
          content: [
            {
              type: "tool-result",
              toolCallId: "c2",
              toolName: "f",
              output: { type: "error-text", value: "down" },
            },
          ],
        },
        { type: "tool", status: "error", content: "broken", tool_call_id: "c3" },
      ]),
    ).toEqual([
      { is: "result", id: "c1", text: "no page", failed: true },
      { is: "result", id: "c2", name: "f", text: "down", failed: true },
      { is: "result", id: "c3", text: "broken", failed: true },
    ]);
  });

  it("shows media by type and address or bytes, without the address's query", () => {
    const pieces = messagePieces({
      role: "user",
      content: [
        { type: "text", text: "What is this?" },
        { type: "image_url", image_url: { url: "https://host.example/a.png?token=s3cret#x" } },
        { type: "input_audio", input_audio: { data: "AAAA", format: "wav" } },
        { type: "blob", mime_type: "image/png", content: "iVBORw0KGgo=" },
      ],
    });
    expect(pieces).toEqual([
      says("user", "What is this?\n[image_url https://host.example/a.png]"),
      says("user", "data:application/octet-stream;base64,AAAA"),
      says("user", "data:image/png;base64,iVBORw0KGgo="),
    ]);
  });

  it("takes a tool's name in place of a role as the speaker of a result, and drops tool definitions", () => {
    expect(
      messageListPieces([
        { role: "assistant", content: "", tool_calls: [{ id: "c1", name: "search", args: {} }] },
        { role: "search", content: "found", additional_kwargs: {} },
        { role: "Planner", content: "First search." },
        { role: "tool", content: { type: "function", function: { name: "search", parameters: {} } } },
      ]),
    ).toEqual([
      call("c1", "search", "{}"),
      { is: "result", name: "search", text: "found" },
      { is: "text", role: "other", name: "Planner", text: "First search." },
    ]);
  });

  it("opens parts that were written as text, but leaves a tool's own list as the model was shown it", () => {
    const text = (role: string, content: string) => messagePieces({ role, content });
    expect(text("user", '[{"text": "Hi"}]')).toEqual([says("user", "Hi")]);
    expect(text("system", '[{"type":"text","text":"Be brief."}]')).toEqual([says("system", "Be brief.")]);
    expect(
      text("assistant", '[{"toolUse": {"toolUseId": "c1", "name": "search", "input": {"q": 1}}}]'),
    ).toEqual([call("c1", "search", '{"q":1}')]);
    expect(text("tool", '[{"toolResult": {"toolUseId": "c1", "content": [{"text": "found"}]}}]')).toEqual([
      { is: "result", id: "c1", text: "found" },
    ]);
    expect(
      text("assistant", '[{"function":{"name":"search","arguments":"{}"},"id":"c1","type":"function"}]'),
    ).toEqual([call("c1", "search", "{}")]);
    expect(text("tool", '{"type": "function_result", "call_id": "c1", "result": "found"}')).toEqual([
      { is: "result", id: "c1", text: "found" },
    ]);
    const rows = '[{"type":"repo","text":"a","stars":3}]';
    expect(text("tool", rows)).toEqual([{ is: "result", text: rows }]);
  });

  it("does not take other objects for messages", () => {
    for (const value of [
      { content: "role" },
      { type: "function" },
      { role: 7, content: "x" },
      5,
      null,
      "text",
      [],
      ["a", "b"],
    ]) {
      expect(messagePieces(value)).toBeUndefined();
    }
    expect(messageListPieces([{ query: "x" }, 3])).toBeUndefined();
    expect(conversationPieces('{"query":"x"}')).toBeUndefined();
    expect(conversationPieces("Hello")).toBeUndefined();
  });

  it("reads keys that are names of Object's own as data and no more", () => {
    const hostile = JSON.parse(
      '{"role":"user","content":"hi","__proto__":{"tool_calls":[{"name":"x"}]},"constructor":{"content":"y"}}',
    ) as unknown;
    expect(messagePieces(hostile)).toEqual([says("user", "hi")]);
    expect(({} as { tool_calls?: unknown }).tool_calls).toBeUndefined();
  });
});

describe("conversationPieces", () => {
  it("finds the messages of requests and responses, with a system prompt that stands beside them", () => {
    const user = { role: "user", content: "Hi" };
    const wanted = [says("system", "Be brief."), says("user", "Hi")];
    expect(conversationPieces({ system: "Be brief.", messages: [user] })).toEqual(wanted);
    expect(
      conversationPieces({
        config: { system_instruction: "Be brief." },
        contents: [{ role: "user", parts: [{ text: "Hi" }] }],
      }),
    ).toEqual(wanted);
    expect(conversationPieces({ instructions: "Be brief.", input: [user] })).toEqual(wanted);
    expect(conversationPieces({ messages: [[{ role: "system", content: "Be brief." }, user]] })).toEqual(
      wanted,
    );
    expect(
      conversationPieces([
        ["system", "Be brief."],
        ["human", "Hi"],
      ]),
    ).toEqual(wanted);
    expect(
      conversationPieces("[{'role': 'system', 'content': 'Be brief.'}, {'role': 'user', 'content': 'Hi'}]"),
    ).toEqual(wanted);
  });

  it("takes no raw response for an answer: what is not read out of it stays out", () => {
    const gemini = {
      sdk_http_response: { headers: { date: "CANARY" } },
      candidates: [{ content: { role: "model", parts: [{ text: "Hello" }] }, safety_ratings: "CANARY" }],
    };
    expect(completionPieces(JSON.stringify(gemini))).toEqual([says("assistant", "Hello")]);
    expect(completionPieces({ content: { parts: [{ text: "Hello" }] }, finish_reason: "STOP" })).toEqual([
      says("assistant", "Hello"),
    ]);
    expect(completionPieces({ headers: { date: "CANARY" }, model: "m" })).toBeUndefined();
    expect(completionPieces({ usage: {}, output_text: "Hello" })).toEqual([says("assistant", "Hello")]);
    // A structured answer is the answer.
    expect(completionPieces('{"city":"Kyoto"}')).toEqual([says("assistant", '{"city":"Kyoto"}')]);
  });

  it("reads prompts that are a text in a request", () => {
    for (const request of [
      "Why?",
      '{"model":"m","contents":"Why?"}',
      { prompt: "Why?" },
      { args: ["Why?"] },
    ]) {
      expect(promptPieces(request)).toEqual([says("user", "Why?")]);
    }
    expect(promptPieces('{"content":"role"}')).toBeUndefined();
  });

  it("reads the first completion, and what a graph's command adds", () => {
    const answer = [says("assistant", "Hello")];
    expect(
      conversationPieces({ generations: [[{ text: "Hello", message: { type: "ai", content: "Hello" } }]] }),
    ).toEqual(answer);
    expect(
      conversationPieces({
        choices: [
          { message: { role: "assistant", content: "Hello" } },
          { message: { role: "assistant", content: "No" } },
        ],
      }),
    ).toEqual(answer);
    expect(
      conversationPieces({
        output: [{ lg_name: "Command", update: { messages: [{ type: "ai", content: "Hello" }] } }],
      }),
    ).toEqual(answer);
    expect(
      completionPieces({
        instructions: "Be brief.",
        output: [{ type: "message", role: "assistant", content: [{ type: "output_text", text: "Hello" }] }],
      }),
    ).toEqual(answer);
    expect(completionPieces("Hello")).toEqual(answer);
    expect(completionPieces('[{"toolCallId":"c1","toolName":"f","input":"{}"}]')).toEqual([
      call("c1", "f", "{}"),
    ]);
  });
});
