import { describe, expect, it } from "vitest";
import type { JsonObject, JsonValue } from "../../schema/index.ts";
import { readRationaleCompletion, readScoredCompletion } from "./read-completion.ts";

const top = (token: string, logprob: JsonValue, bytes?: JsonValue): JsonObject => ({
  token,
  logprob,
  ...(bytes !== undefined && { bytes }),
});
const completion = (choice: JsonObject = {}, more: JsonObject = {}): JsonObject => ({
  model: "m-1-2026-01-01",
  system_fingerprint: "fp_1",
  choices: [
    {
      index: 0,
      message: { role: "assistant", content: "A", refusal: null },
      logprobs: {
        content: [
          { ...top("A", -0.1, [65]), top_logprobs: [top("A", -0.1, [65]), top(" B", -2.5, [32, 66])] },
        ],
        refusal: null,
      },
      finish_reason: "length",
      ...choice,
    },
  ],
  usage: { prompt_tokens: 120, completion_tokens: 1, total_tokens: 121 },
  ...more,
});
const read = (json: JsonValue) => readScoredCompletion(json, 20);
const flagOf = (json: JsonValue): unknown => {
  try {
    read(json);
    return "none";
  } catch (error) {
    return (error as { fields: { flag: unknown } }).fields.flag;
  }
};

describe("readScoredCompletion", () => {
  it("keeps position 0 as received, and who answered", () => {
    expect(read(completion())).toEqual({
      form: "logprobs",
      topLogprobs: [
        { token: "A", logprob: -0.1, bytes: [65] },
        { token: " B", logprob: -2.5, bytes: [32, 66] },
      ],
      topkAsked: 20,
      firstToken: { token: "A", logprob: -0.1, bytes: [65] },
      usage: { promptTokens: 120, completionTokens: 1 },
      model: "m-1-2026-01-01",
      fingerprint: "fp_1",
      flags: [],
    });
  });

  it("reads no later position", () => {
    const json = completion();
    const content = (json as { choices: [{ logprobs: { content: JsonObject[] } }] }).choices[0].logprobs
      .content;
    content.push({ ...top("C", -0.01), top_logprobs: [top("C", -0.01)] });
    expect(read(json).topLogprobs.map(({ token }) => token)).toEqual(["A", " B"]);
  });

  it("reads the older form of parallel lists", () => {
    const logprobs = {
      tokens: ["A", "."],
      token_logprobs: [-0.2, -1],
      top_logprobs: [{ A: -0.2, B: -3 }, { ".": -1 }],
    };
    expect(read(completion({ logprobs }))).toMatchObject({
      topLogprobs: [
        { token: "A", logprob: -0.2 },
        { token: "B", logprob: -3 },
      ],
      firstToken: { token: "A", logprob: -0.2 },
    });
  });

  it("keeps a null value and leaves bytes out that are none", () => {
    const logprobs = {
      content: [{ ...top("A", null, null), top_logprobs: [top("A", null, "65"), top("B", -1, [300])] }],
    };
    expect(read(completion({ logprobs })).topLogprobs).toEqual([
      { token: "A", logprob: null },
      { token: "B", logprob: -1 },
    ]);
  });

  it.each([
    [
      "OpenAI's cached tokens",
      { prompt_tokens: 9, completion_tokens: 1, prompt_tokens_details: { cached_tokens: 4 } },
      { promptTokens: 9, completionTokens: 1, cachedTokens: 4 },
    ],
    [
      "DeepSeek's",
      { prompt_tokens: 9, completion_tokens: 1, prompt_cache_hit_tokens: 5, prompt_cache_miss_tokens: 4 },
      { promptTokens: 9, completionTokens: 1, cachedTokens: 5 },
    ],
    [
      "a count of no reasoning",
      { prompt_tokens: 9, completion_tokens_details: { reasoning_tokens: 0 } },
      { promptTokens: 9, reasoningTokens: 0 },
    ],
    ["counts that are none", { prompt_tokens: "9", completion_tokens: -1 }, undefined],
    ["nothing", null, undefined],
  ])("usage: %s", (_, usage, expected) => {
    expect(read(completion({}, { usage })).usage).toEqual(expected);
  });

  it.each<[string, unknown, JsonValue]>([
    ["no log-probabilities", "no_logprobs", completion({ logprobs: null })],
    ["an empty content list", "no_logprobs", completion({ logprobs: { content: [] } })],
    ["content that is null", "no_logprobs", completion({ logprobs: { content: null } })],
    [
      "an empty top list",
      "no_logprobs",
      completion({ logprobs: { content: [{ ...top("A", 0), top_logprobs: [] }] } }),
    ],
    ["no top list", "no_logprobs", completion({ logprobs: { content: [top("A", -9999)] } })],
    ["a refusal", "refusal", completion({ logprobs: null, message: { content: null, refusal: "No." } })],
    ["a filtered answer", "refusal", completion({ logprobs: null, finish_reason: "content_filter" })],
    [
      "reasoning text",
      "reasoning_tokens",
      completion({ message: { content: "A", reasoning_content: "Hm" } }),
    ],
    [
      "reasoning under another name",
      "reasoning_tokens",
      completion({ message: { content: "A", reasoning: "Hm" } }),
    ],
    [
      "reasoning tokens",
      "reasoning_tokens",
      completion({}, { usage: { completion_tokens_details: { reasoning_tokens: 64 } } }),
    ],
    [
      "log-probabilities of reasoning",
      "reasoning_tokens",
      completion({ logprobs: { content: [], reasoning_content: [top("Hm", -1)] } }),
    ],
    ["no choice", "invalid_response", { choices: [] }],
    ["no message", "invalid_response", { choices: [{}] }],
    ["text", "invalid_response", "<html>"],
    ["nothing", "invalid_response", null],
    [
      "a token that is none",
      "invalid_response",
      completion({ logprobs: { content: [{ token: 3, top_logprobs: [top("A", -1)] }] } }),
    ],
    [
      "a value that is none",
      "invalid_response",
      completion({ logprobs: { content: [{ ...top("A", -1), top_logprobs: [top("A", "-1")] }] } }),
    ],
    [
      "a list that is none",
      "invalid_response",
      completion({ logprobs: { content: [{ ...top("A", -1), top_logprobs: { A: -1 } }] } }),
    ],
    ["log-probs that are none", "invalid_response", completion({ logprobs: "yes" })],
  ])("%s is an error with flag %s", (_, flag, json) => {
    expect(flagOf(json)).toBe(flag);
  });

  it("a refusal that still lists its first token is read, and flagged", () => {
    expect(read(completion({ finish_reason: "content_filter" })).flags).toEqual(["refusal"]);
  });
});

describe("readRationaleCompletion", () => {
  it("keeps text and finish reason", () => {
    const json = completion({
      message: { content: "cand-1: likely." },
      logprobs: null,
      finish_reason: "stop",
    });
    expect(readRationaleCompletion(json)).toEqual({
      text: "cand-1: likely.",
      finishReason: "stop",
      usage: { promptTokens: 120, completionTokens: 1 },
      model: "m-1-2026-01-01",
    });
  });

  it("an answer without content is an empty text, and parts are no text", () => {
    expect(readRationaleCompletion(completion({ message: { content: null } })).text).toBe("");
    expect(() => readRationaleCompletion(completion({ message: { content: [{ type: "text" }] } }))).toThrow(
      /no text/,
    );
  });
});
