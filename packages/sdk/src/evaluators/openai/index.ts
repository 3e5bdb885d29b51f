export {
  CAPABILITY_SCHEMA,
  parseCapability,
  requireCapability,
  type CapabilityCheck,
  type CapabilityReport,
} from "./capability.ts";
export { systemClock, type Clock } from "./clock.ts";
export { openaiDecisionsEvaluator } from "./decisions-client.ts";
export { findProvider, modelBody, type Provider } from "./find-preset.ts";
export {
  createModelClient,
  type ModelCall,
  type ModelClient,
  type ModelClientOptions,
  type ModelReply,
} from "./model-client.ts";
export { openaiEvaluator, type OpenAIEvaluatorOptions } from "./openai-evaluator.ts";
export type { FetchFunction } from "./plain-fetch.ts";
export { PROVIDER_PRESETS, type ModelRule, type ProviderPreset } from "./provider-presets.ts";
export type { RateLimits } from "./rate-limiter.ts";
