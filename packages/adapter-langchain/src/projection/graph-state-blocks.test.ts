import {
  AIMessage,
  AIMessageChunk,
  HumanMessage,
  SystemMessage,
  ToolMessage,
} from "@langchain/core/messages";
import { ChatPromptTemplate } from "@langchain/core/prompts";
import { describe, expect, it } from "vitest";
import { ChannelNames } from "./channel-names.ts";
import { graphStateBlocks } from "./graph-state-blocks.ts";
import { isMessage } from "./message-like.ts";

const names = new ChannelNames(undefined);
const blocksOf = (state: unknown) => graphStateBlocks(state, names).blocks;

describe("messages", () => {
  it("become blocks by role, in their order, with nothing but what the allow-list names", () => {
    const messages = [
      new HumanMessage({ content: "Which lamp?", id: "m-1", additional_kwargs: { hidden: 1 } }),
      new AIMessage({
        content: "I look.",
        id: "m-2",
        tool_calls: [{ id: "c-1", name: "search", args: { query: "lamp" } }],
        response_metadata: { request_id: "r-1" },
        additional_kwargs: { hidden: 2 },
      }),
      new ToolMessage({ content: "green", tool_call_id: "c-1", name: "search", artifact: { hidden: 3 } }),
      new ToolMessage({ content: "no such page", tool_call_id: "c-2", name: "fetch", status: "error" }),
      new HumanMessage("Sure?"),
      new SystemMessage("Be brief."),
      new AIMessage("Green."),
    ];
    expect(blocksOf({ messages })).toEqual([
      { kind: "task", name: "user", text: "Which lamp?" },
      { kind: "reasoning", name: "assistant", text: "I look." },
      { kind: "tool_call", name: "search", text: '{"query":"lamp"}' },
      { kind: "evidence", name: "search", text: "green" },
      { kind: "other", name: "fetch", text: "no such page" },
      { kind: "message", name: "user", text: "Sure?" },
      { kind: "message", name: "system", text: "Be brief." },
      { kind: "answer", name: "assistant", text: "Green." },
    ]);
  });

  it("name their speaker where they have one, and read the same as chunks or plain objects", () => {
    expect(blocksOf([new AIMessage({ content: "Left.", name: "scout" })])).toEqual([
      { kind: "answer", name: "scout", text: "Left." },
    ]);
    expect(blocksOf([new AIMessageChunk("Left.")])).toEqual(blocksOf([new AIMessage("Left.")]));
    expect(blocksOf([{ role: "user", content: "Which?" }])).toEqual(blocksOf([new HumanMessage("Which?")]));
  });

  it("of another copy of LangChain are known by their shape", () => {
    const foreign = {
      getType: () => "ai",
      content: "from elsewhere",
      tool_calls: [],
      response_metadata: { secret: 1 },
    };
    expect(isMessage(foreign)).toBe(true);
    expect(blocksOf({ messages: [foreign] })).toEqual([
      { kind: "answer", name: "assistant", text: "from elsewhere" },
    ]);
    expect(isMessage({ _getType: () => "human" })).toBe(true);
    expect([null, undefined, "text", {}, []].map(isMessage)).toEqual([false, false, false, false, false]);
  });

  it.each([
    [
      "OpenAI's image",
      { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } },
      "data:image/png;base64,AAAA",
    ],
    [
      "an image address",
      { type: "image_url", image_url: "https://host.test/a.png?sig=abc#x" },
      "[image_url https://host.test/a.png]",
    ],
    [
      "a standard image",
      { type: "image", mimeType: "image/gif", data: "AAAA" },
      "data:image/gif;base64,AAAA",
    ],
    [
      "Anthropic's image",
      { type: "image", source: { type: "base64", media_type: "image/webp", data: "AAAA" } },
      "data:image/webp;base64,AAAA",
    ],
    [
      "OpenAI's audio",
      { type: "input_audio", input_audio: { data: "AAAA", format: "wav" } },
      "data:application/octet-stream;base64,AAAA",
    ],
    [
      "bytes",
      { type: "audio", mimeType: "audio/wav", data: new Uint8Array([1, 2, 3]) },
      "data:audio/wav;base64,AQID",
    ],
    ["a file by id", { type: "file", file: { file_id: "f-1" } }, "[file]"],
  ])("hold media as a data URI or an address: %s", (_, part, text) => {
    expect(blocksOf([new HumanMessage({ content: [part] as never })])).toEqual([
      { kind: "task", name: "user", text },
    ]);
  });

  it("leave out parts that are the provider's business", () => {
    const content = [
      { type: "thinking", thinking: "Hm.", signature: "s-1" },
      { type: "text", text: "Green." },
      { type: "tool_use", id: "t-1", name: "search", input: { query: "x" } },
      { type: "redacted_thinking", data: "zzz" },
    ];
    expect(blocksOf([new AIMessage({ content: content as never })])).toEqual([
      { kind: "reasoning", name: "assistant", text: "Hm." },
      { kind: "answer", name: "assistant", text: "Green." },
    ]);
  });
});

describe("other channels", () => {
  it("become blocks by their names, one an item where the items are texts or documents", () => {
    const documents = [
      { pageContent: "first", metadata: { id: "d-1" } },
      { pageContent: "second", metadata: {} },
    ];
    expect(
      blocksOf({
        plan: "look",
        documents,
        facts: ["a", "b"],
        count: 0,
        flags: { done: false },
        draft: "",
        tips: [],
        left: null,
      }),
    ).toEqual([
      { kind: "plan", name: "plan", text: "look" },
      { kind: "evidence", name: "documents", text: "first" },
      { kind: "evidence", name: "documents", text: "second" },
      { kind: "evidence", name: "facts", text: "a" },
      { kind: "evidence", name: "facts", text: "b" },
      { kind: "other", name: "count", text: "0" },
      { kind: "other", name: "flags", text: '{"done":false}' },
    ]);
  });

  it("show of a message deep inside what may be shown of a message", () => {
    const inner = new AIMessage({ content: "inner", response_metadata: { request_id: "r-9" } });
    const [block] = blocksOf({ inbox: { latest: inner, older: [inner] } });
    expect(block?.text).toContain('"text":"inner"');
    expect(block?.text).not.toContain("r-9");
  });

  it("stay fields with their name where a rule about names knows it, so that Φ takes them", () => {
    expect(blocksOf({ api_key: "Zq81LmP0xk47Tr93vB", plan: "p" })).toEqual([
      { kind: "other", name: "field", text: '{"api_key":"Zq81LmP0xk47Tr93vB"}' },
      { kind: "plan", name: "plan", text: "p" },
    ]);
    const own = new ChannelNames({ keyRules: [{ id: "mine", when: { name: ["plan"] }, do: "remove" }] });
    expect(own.isPlain("plan")).toBe(false);
    expect(own.isPlain("notes")).toBe(true);
  });

  it("of the framework's own are no part of the state", () => {
    expect(
      blocksOf({ lg_tool_call: { name: "x" }, jumpTo: "end", __start__: 1, "branch:to:a": 1, plan: "p" })
        .length,
    ).toBe(1);
  });
});

it("reads a prompt value as its messages and a plain value as one block", async () => {
  const prompt = await ChatPromptTemplate.fromMessages([["human", "{q}"]]).invoke({ q: "Why?" });
  expect(blocksOf(prompt)).toEqual([{ kind: "task", name: "user", text: "Why?" }]);
  expect(blocksOf("text")).toEqual([{ kind: "other", name: "value", text: "text" }]);
  expect(blocksOf(7)).toEqual([{ kind: "other", name: "value", text: "7" }]);
  expect(blocksOf(undefined)).toEqual([]);
});
