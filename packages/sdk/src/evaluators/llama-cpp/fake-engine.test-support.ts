import type { EngineInput, EngineModel, EngineSequence, LlamaEngine, TokenId } from "./llama-engine.ts";

/** Texts of the made-up vocabulary; a token's id is its place. Every other character is its code + 1000. */
export const VOCABULARY = ["<bos>", "<user>", "<model>", "<eos>", "A", " A", "A.", "B", "B", "C", "hm", "�"];
const CHARS = 1000;

export interface FakeEngineOptions {
  /** Logits by token after a prompt; tokens not named get −10. Default: A likeliest. */
  logits?: (tokens: readonly TokenId[]) => Record<number, number>;
  /** What is written after a prompt. Default: "hm" twice, then the end. */
  written?: readonly TokenId[];
  trainContextSize?: number;
  chatTemplate?: string;
  prependBos?: boolean;
  /** Thrown by the next evaluation, once. */
  failOnce?: { error?: Error };
}

/** A stand-in for node-llama-cpp that remembers what it was asked. */
export function fakeEngine(options: FakeEngineOptions = {}) {
  const seen = {
    batches: [] as number[][],
    cleared: 0,
    contexts: [] as object[],
    runtime: undefined as object | undefined,
    wrappers: [] as object[],
    running: 0,
    mostAtOnce: 0,
    disposed: 0,
  };
  const model = {
    trainContextSize: options.trainContextSize ?? 4096,
    tokens: { bos: 0, shouldPrependBosToken: options.prependBos ?? true },
    fileInfo: {
      metadata: {
        tokenizer: options.chatTemplate === undefined ? {} : { chat_template: options.chatTemplate },
      },
    },
    tokenizer: undefined,
    tokenize: (text) => Array.from(text, (char) => CHARS + char.codePointAt(0)!),
    detokenize: (tokens, special) =>
      tokens
        .map((token) => {
          if (token >= CHARS) return String.fromCodePoint(token - CHARS);
          return token <= 3 && special !== true ? "" : VOCABULARY[token]!;
        })
        .join(""),
    iterateAllTokens: () => VOCABULARY.keys(),
    createContext: async (context) => {
      seen.contexts.push(context);
      return { getSequence: () => fakeSequence(options, seen) };
    },
  } satisfies EngineModel;
  const engine: LlamaEngine = {
    getLlama: async (runtime) => {
      seen.runtime = runtime;
      return {
        llamaCppRelease: { release: "b1" },
        systemInfo: "CPU : AVX2 = 1 | AVX512 = 0 | FMA = 1 | ",
        loadModel: async () => model,
        dispose: async () => void seen.disposed++,
      };
    },
    getModuleVersion: async () => "9.9.9",
    resolveChatWrapper: (_, wrapper) => {
      seen.wrappers.push(wrapper);
      return {
        generateContextState: ({ chatHistory }) => ({
          contextText: {
            tokenize: () =>
              chatHistory.flatMap((item) => (item.type === "user" ? [1, ...model.tokenize(item.text)] : [2])),
          },
        }),
      };
    },
  };
  return { engine, seen };
}

function fakeSequence(options: FakeEngineOptions, seen: ReturnType<typeof fakeEngine>["seen"]) {
  let held: TokenId[] = [];
  const take = async (tokens: readonly TokenId[]) => {
    seen.mostAtOnce = Math.max(seen.mostAtOnce, ++seen.running);
    await new Promise((next) => setImmediate(next));
    seen.running--;
    const error = options.failOnce?.error;
    if (error !== undefined) {
      delete options.failOnce!.error;
      held = [...held, -1];
      throw error;
    }
    seen.batches.push([...tokens]);
    held.push(...tokens);
  };
  const logitsAfter = () => {
    const given = options.logits?.(held) ?? { 4: 2, 5: 1, 7: 1, 9: 0 };
    return new Map([...VOCABULARY.keys()].map((token) => [token, given[token] ?? -10]));
  };
  return {
    get nextTokenIndex() {
      return held.length;
    },
    adaptStateToTokens: async (tokens) => {
      let same = 0;
      while (same < tokens.length && same < held.length && tokens[same] === held[same]) same++;
      held = held.slice(0, same);
    },
    clearHistory: async () => {
      seen.cleared++;
      held = [];
    },
    evaluateWithoutGeneratingNewTokens: take,
    async *evaluate(tokens) {
      await take(tokens);
      yield* options.written ?? [10, 10];
    },
    controlledEvaluate: async (input: EngineInput[]) => {
      await take(input.map((item) => (typeof item === "number" ? item : item[0])));
      return input.map((item) =>
        typeof item === "number" ? undefined : { next: { logits: logitsAfter() } },
      );
    },
  } satisfies EngineSequence;
}
