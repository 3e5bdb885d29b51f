import { describe, expect, it } from "vitest";
import { defineProtocol, protocols } from "../../protocol/index.ts";
import { findProvider } from "./find-preset.ts";
import { PROVIDER_PRESETS } from "./provider-presets.ts";
import { callShape, rationaleBody, scoredBody, shapeSettings, type ShapeOptions } from "./request-body.ts";

const preset = (name: string) => PROVIDER_PRESETS.get(name)!;
const bodies = (name: string, options: ShapeOptions) => {
  const shape = callShape(preset(name), options);
  return {
    scored: scoredBody(shape, preset(name), "PROMPT"),
    rationale: rationaleBody(shape, preset(name), "PROMPT", 128),
    settings: shapeSettings(shape, options.model, name),
  };
};

describe("bodies by preset", () => {
  it.each([...PROVIDER_PRESETS.keys()])("%s: one token with its list, and a rationale without", (name) => {
    const { tokenLimit, maxTopLogprobs, body = {} } = preset(name);
    const { scored, rationale } = bodies(name, { model: "m" });
    const user = [{ role: "user", content: "PROMPT" }];
    expect(scored).toEqual({
      ...body,
      messages: user,
      [tokenLimit]: 1,
      temperature: scored["temperature"],
      logprobs: true,
      top_logprobs: Math.min(20, maxTopLogprobs),
    });
    expect(rationale).toEqual({ ...body, messages: user, [tokenLimit]: 128, temperature: 0 });
    for (const name of ["top_p", "top_k", "min_tokens", "stop", "logit_bias"])
      expect(scored).not.toHaveProperty(name);
  });

  it.each([
    ["openai", "gpt-4.1-mini", { max_completion_tokens: 1, temperature: 1 }],
    ["openai", "gpt-5.4", { reasoning_effort: "none" }],
    ["deepseek", "deepseek-v4-flash", { thinking: { type: "disabled" }, max_tokens: 1 }],
    ["ollama", "qwen3", { think: false }],
    [
      "openrouter",
      "deepseek/deepseek-v4-flash",
      { provider: { require_parameters: true, allow_fallbacks: false } },
    ],
    ["fireworks", "m", { top_logprobs: 5 }],
    ["vllm", "m", { temperature: 0, max_tokens: 1 }],
  ])("%s sends %s what it needs: %j", (name, model, expected) => {
    expect(bodies(name, { model }).scored).toMatchObject(expected);
  });

  it("begins the answer in the provider's own way, and never a rationale", () => {
    const begun = { role: "assistant", content: "Answer:" };
    const vllm = bodies("vllm", { model: "m", prefill: "Answer:" });
    expect(vllm.scored).toMatchObject({ continue_final_message: true, add_generation_prompt: false });
    expect((vllm.scored["messages"] as object[])[1]).toEqual(begun);
    expect(vllm.rationale).not.toHaveProperty("continue_final_message");
    expect(vllm.rationale["messages"]).toHaveLength(1);
    const deepseek = bodies("deepseek", { model: "m", prefill: "Answer:" });
    expect((deepseek.scored["messages"] as object[])[1]).toEqual({ ...begun, prefix: true });
  });

  it.each<[string, ShapeOptions, RegExp]>([
    ["openai", { model: "o3-mini" }, /o3-mini.*reasons first/],
    ["openai", { model: "gpt-5-nano" }, /gpt-5-nano/],
    ["openai", { model: "gpt-6-astra" }, /gpt-6-astra/],
    ["deepseek", { model: "deepseek-reasoner" }, /deepseek-reasoner/],
    ["compatible", { model: "deepseek-ai/DeepSeek-R1" }, /DeepSeek-R1/],
    ["openrouter", { model: "anthropic/claude-1" }, /no log-probabilities/],
    ["openai", { model: "gpt-4.1", topLogprobs: 21 }, /at most 20 .*not 21/],
    ["fireworks", { model: "m", topLogprobs: 6 }, /at most 5/],
    ["openai", { model: "gpt-4.1", prefill: "Answer:" }, /cannot go on from a begun answer/],
  ])("%s refuses %j by name", (name, options, message) => {
    expect(() => callShape(preset(name), options)).toThrow(message);
    expect(() => callShape(preset(name), options)).toThrow(
      expect.objectContaining({ code: "incompatible_evaluator" }),
    );
  });

  it.each<[Omit<ShapeOptions, "model">, RegExp]>([
    [{ topLogprobs: 1 }, /topLogprobs/],
    [{ temperature: -1 }, /temperature/],
    [{ body: { logprobs: false } }, /body\.logprobs/],
    [{ body: { messages: [] } }, /body\.messages/],
  ])("refuses %j", (options, message) => {
    expect(() => callShape(preset("openai"), { model: "m", ...options })).toThrow(message);
  });
});

describe("settings", () => {
  it("hold everything that changes what is sent, so the protocol's id changes with it", () => {
    const id = (name: string, options: ShapeOptions) =>
      defineProtocol({ ...protocols.direct, evaluator: bodies(name, options).settings }).id;
    const model = "m";
    const ids = [
      id("vllm", { model }),
      id("vllm", { model: "m-2" }),
      id("vllm", { model, temperature: 1 }),
      id("vllm", { model, topLogprobs: 10 }),
      id("vllm", { model, prefill: "Answer:" }),
      id("vllm", { model, body: { seed: 1 } }),
      id("deepseek", { model }),
      id("openai", { model }),
    ];
    expect(new Set(ids).size).toBe(ids.length);
    expect(id("vllm", { model, body: { b: 1, a: 2 } })).toBe(id("vllm", { model, body: { a: 2, b: 1 } }));
  });

  it("say it in plain values", () => {
    expect(bodies("deepseek", { model: "deepseek-v4-flash" }).settings).toEqual({
      kind: "openai",
      model: "deepseek-v4-flash",
      temperature: 1,
      thinking: false,
      topLogprobs: 20,
      endpoint: "deepseek",
      parameters: {
        api: "chat.completions",
        token_limit: "max_tokens",
        rationale_temperature: 0,
        "body.thinking": '{"type":"disabled"}',
      },
    });
  });
});

describe("findProvider", () => {
  it.each([
    [undefined, undefined, "openai", "openai"],
    [undefined, "https://api.deepseek.com/beta", "deepseek", "deepseek"],
    [undefined, "https://mine.openai.azure.com/openai/v1/", "azure", "azure"],
    [undefined, "http://127.0.0.1:8000/v1", "compatible", "local"],
    ["vllm", "http://localhost:8000/v1", "vllm", "local"],
    ["vllm", "https://models.example.org/v1?v=2", "vllm", "models.example.org"],
    ["deepseek", "https://proxy.example.org/v1", "deepseek", "proxy.example.org"],
    ["deepseek", undefined, "deepseek", "deepseek"],
    // An address that only looks like one.
    [undefined, "https://api.openai.com.example.org/v1", "compatible", "api.openai.com.example.org"],
  ])("preset %s at %s is %s, recorded as %s", (name, baseUrl, found, endpoint) => {
    const provider = findProvider(name, baseUrl);
    expect([provider.preset.name, provider.endpoint]).toEqual([found, endpoint]);
  });
});
