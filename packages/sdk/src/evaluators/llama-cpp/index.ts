export type { ChatTemplate } from "./chat-template.ts";
export { llamaCppEvaluator, type LlamaCppEvaluator, type LlamaCppOptions } from "./llama-cpp-evaluator.ts";
export type {
  EngineChatWrapper,
  EngineContext,
  EngineInput,
  EngineModel,
  EngineRuntime,
  EngineSequence,
  EngineWrapperOptions,
  LlamaEngine,
  TokenId,
} from "./llama-engine.ts";
