import type { JsonObject } from "../../schema/index.ts";

/** Models of a provider that cannot be read for label scores, or that need something more sent. */
export interface ModelRule {
  models: RegExp;
  /** Given where the model is refused before any call: why, and what to do. */
  refused?: string;
  /** Sent with every call to such a model. */
  body?: JsonObject;
}

/** What a provider must be sent and what it can return. Data, not code: no call depends on the name. */
export interface ProviderPreset {
  name: string;
  /** Used when no base URL is given. */
  baseUrl?: string;
  /** Host names by which this preset is found when none is named. */
  hosts?: RegExp;
  /** Which header carries the key. */
  auth: "bearer" | "api-key";
  /** The variable the command line reads the key from; none where a server needs no key. */
  apiKeyVariable?: string;
  tokenLimit: "max_tokens" | "max_completion_tokens";
  /** Most entries of a top list. */
  maxTopLogprobs: number;
  /**
   * Whether log-probabilities are those before temperature and masks. Where it is not known, scored
   * calls are sent at temperature 1, which leaves the values as they are either way.
   */
  logprobs: "before-sampling" | "unknown";
  /** Sent with every call: thinking off, provider pinned. */
  body?: JsonObject;
  /** How the server is told to go on from a begun answer; absent where it cannot. */
  prefill?: { message?: JsonObject; body?: JsonObject };
  models?: readonly ModelRule[];
  notes: readonly string[];
}

const REASONS_ONLY = "it always reasons first and returns no first-token log-probabilities";

const openaiModels: readonly ModelRule[] = [
  { models: /^o\d/, refused: REASONS_ONLY },
  { models: /^gpt-5(-mini|-nano|-pro|-codex)?(-\d{4}-\d\d-\d\d)?$/, refused: REASONS_ONLY },
  { models: /^gpt-6(-astra|\.1-sol)(-|$)/, refused: REASONS_ONLY },
  { models: /^gpt-(5\.\d|6)/, body: { reasoning_effort: "none" } },
];

const deepseekModels: readonly ModelRule[] = [{ models: /reasoner|(^|[/-])r1(-|$)/i, refused: REASONS_ONLY }];

const presets: readonly ProviderPreset[] = [
  {
    name: "openai",
    baseUrl: "https://api.openai.com/v1",
    hosts: /(^|\.)api\.openai\.com$/,
    auth: "bearer",
    apiKeyVariable: "OPENAI_API_KEY",
    tokenLimit: "max_completion_tokens",
    maxTopLogprobs: 20,
    logprobs: "unknown",
    models: openaiModels,
    notes: ["-9999 marks a token outside the list", "no answer can be begun for the model"],
  },
  {
    name: "azure",
    hosts: /\.(openai\.azure\.com|services\.ai\.azure\.com|cognitiveservices\.azure\.com)$/,
    auth: "api-key",
    apiKeyVariable: "AZURE_OPENAI_API_KEY",
    tokenLimit: "max_completion_tokens",
    maxTopLogprobs: 20,
    logprobs: "unknown",
    models: openaiModels,
    notes: ["the model is the deployment's name; the base URL ends in /openai/v1/"],
  },
  {
    name: "deepseek",
    baseUrl: "https://api.deepseek.com",
    hosts: /(^|\.)api\.deepseek\.com$/,
    auth: "bearer",
    apiKeyVariable: "DEEPSEEK_API_KEY",
    tokenLimit: "max_tokens",
    maxTopLogprobs: 20,
    logprobs: "unknown",
    body: { thinking: { type: "disabled" } },
    prefill: { message: { prefix: true } },
    models: deepseekModels,
    notes: [
      "thinking is on unless switched off, and then sampling parameters are ignored",
      "some versions returned only 0 and -9999 with an empty list: probe first",
      "a begun answer needs the base URL that ends in /beta",
    ],
  },
  {
    name: "vllm",
    auth: "bearer",
    tokenLimit: "max_tokens",
    maxTopLogprobs: 20,
    logprobs: "before-sampling",
    prefill: { body: { continue_final_message: true, add_generation_prompt: false } },
    notes: [
      "more than 20 entries need --max-logprobs; --logprobs-mode must stay raw_logprobs",
      "prefix caching moves values by some hundredths of a nat",
    ],
  },
  {
    name: "sglang",
    auth: "bearer",
    tokenLimit: "max_tokens",
    maxTopLogprobs: 20,
    logprobs: "unknown",
    prefill: { body: { continue_final_message: true } },
    notes: ["entries with the same text are folded into the lower one"],
  },
  {
    name: "llama-cpp-server",
    auth: "bearer",
    tokenLimit: "max_tokens",
    maxTopLogprobs: 100,
    logprobs: "before-sampling",
    prefill: {},
    notes: ["start it without post-sampling probabilities"],
  },
  {
    name: "ollama",
    auth: "bearer",
    tokenLimit: "max_tokens",
    maxTopLogprobs: 20,
    logprobs: "unknown",
    body: { think: false },
    prefill: {},
    notes: ["log-probabilities need 0.12.11 or later; some versions dropped the fields without a word"],
  },
  {
    name: "together",
    baseUrl: "https://api.together.xyz/v1",
    hosts: /(^|\.)api\.together\.(xyz|ai)$/,
    auth: "bearer",
    apiKeyVariable: "TOGETHER_API_KEY",
    tokenLimit: "max_tokens",
    maxTopLogprobs: 20,
    logprobs: "unknown",
    models: deepseekModels,
    notes: ["values are taken after sampling: top_p is left out, since with it most were exactly 0"],
  },
  {
    name: "fireworks",
    baseUrl: "https://api.fireworks.ai/inference/v1",
    hosts: /(^|\.)api\.fireworks\.ai$/,
    auth: "bearer",
    apiKeyVariable: "FIREWORKS_API_KEY",
    tokenLimit: "max_tokens",
    maxTopLogprobs: 5,
    logprobs: "unknown",
    models: deepseekModels,
    notes: ["five entries at most, so five candidates at most"],
  },
  {
    name: "openrouter",
    baseUrl: "https://openrouter.ai/api/v1",
    hosts: /(^|\.)openrouter\.ai$/,
    auth: "bearer",
    apiKeyVariable: "OPENROUTER_API_KEY",
    tokenLimit: "max_tokens",
    maxTopLogprobs: 20,
    logprobs: "unknown",
    body: { provider: { require_parameters: true, allow_fallbacks: false } },
    models: [
      ...deepseekModels,
      { models: /^openai\/(o\d|gpt-5(-mini|-nano|-pro)?$)/, refused: REASONS_ONLY },
      { models: /^(anthropic|mistralai|groq)\//, refused: "its provider returns no log-probabilities" },
    ],
    notes: ["values differ by the provider routed to: pin one with the body parameter provider.order"],
  },
  {
    name: "compatible",
    auth: "bearer",
    tokenLimit: "max_tokens",
    maxTopLogprobs: 20,
    logprobs: "unknown",
    prefill: {},
    models: deepseekModels,
    notes: ["any other server that speaks chat completions"],
  },
];

/** Every provider preset by name. */
export const PROVIDER_PRESETS: ReadonlyMap<string, ProviderPreset> = new Map(
  presets.map((preset) => [preset.name, preset]),
);
