// What this folder uses of node-llama-cpp, described by its shape: the package is an optional peer and
// may not be installed where the SDK is type-checked.

/** A token's id in the model's vocabulary. */
export type TokenId = number;

/** The module `node-llama-cpp`. */
export interface LlamaEngine {
  getLlama(options: { build: "never"; gpu: false | "auto"; maxThreads: number }): Promise<EngineRuntime>;
  resolveChatWrapper(model: EngineModel, options: EngineWrapperOptions): EngineChatWrapper | null;
  getModuleVersion?(): Promise<string>;
}

export interface EngineRuntime {
  readonly llamaCppRelease?: { readonly release: string };
  /** What the chosen build can do, such as `CPU : AVX2 = 1 | AVX512 = 1 |`. */
  readonly systemInfo?: string;
  loadModel(options: { modelPath: string; loadSignal?: AbortSignal }): Promise<EngineModel>;
  dispose(): Promise<void>;
}

export interface EngineModel {
  readonly trainContextSize: number;
  readonly tokens: { readonly bos: TokenId | null; readonly shouldPrependBosToken: boolean };
  readonly fileInfo: { readonly metadata?: unknown };
  readonly tokenizer: unknown;
  tokenize(text: string, specialTokens?: boolean): TokenId[];
  detokenize(tokens: readonly TokenId[], specialTokens?: boolean): string;
  iterateAllTokens(): Iterable<TokenId>;
  createContext(options: {
    contextSize: number;
    batchSize: number;
    threads: number;
    flashAttention: boolean;
  }): Promise<EngineContext>;
}

export interface EngineContext {
  getSequence(): EngineSequence;
}

/** A token, with what to find out after it. */
export type EngineInput = TokenId | [token: TokenId, options: { generateNext?: { logits?: unknown } }];

export interface EngineSequence {
  readonly nextTokenIndex: number;
  adaptStateToTokens(tokens: TokenId[], allowShift: boolean): Promise<void>;
  clearHistory(): Promise<void>;
  evaluateWithoutGeneratingNewTokens(tokens: TokenId[]): Promise<void>;
  evaluate(tokens: TokenId[], options: { temperature: number }): AsyncIterable<TokenId>;
  controlledEvaluate(
    input: EngineInput[],
  ): Promise<({ next: { logits?: ReadonlyMap<TokenId, number> } } | undefined)[]>;
}

export interface EngineWrapperOptions {
  type: "auto" | "jinjaTemplate";
  customWrapperSettings?: {
    jinjaTemplate: { template?: string; additionalRenderParameters: Record<string, boolean> };
  };
  fallbackToOtherWrappersOnJinjaError: boolean;
  warningLogs: boolean;
}

export interface EngineChatWrapper {
  generateContextState(options: {
    chatHistory: ({ type: "user"; text: string } | { type: "model"; response: string[] })[];
  }): { contextText: { tokenize(tokenizer: unknown): TokenId[] } };
}
