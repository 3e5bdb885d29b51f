import { AsvError } from "../../errors/index.ts";
import { openConversation, type ChatTemplate, type Conversation } from "./chat-template.ts";
import { findLabelTokens, type LabelTokens } from "./label-tokens.ts";
import type { EngineModel, LlamaEngine } from "./llama-engine.ts";
import { CHUNK, LEAST_TOGETHER, PromptEvaluator } from "./prompt-evaluator.ts";

/** Default and largest context, where the model was trained on more. */
const LARGEST_CONTEXT = 8192;

/** The package types this text as a member of an enum of its own. */
const QUIET: object = { logLevel: "error" };

/** A resolved set-up. */
export interface ModelSetup {
  modelPath: string;
  contextSize: number | undefined;
  threads: number;
  gpu: false | "auto";
  chatTemplate: ChatTemplate;
  reusePrefix: boolean;
}

/** A loaded model, ready to be asked. */
export interface OpenModel {
  model: EngineModel;
  conversation: Conversation;
  labelTokens: LabelTokens;
  /** Tokens of a prompt and its answer together. */
  contextSize: number;
  /** Version of the package and of the llama.cpp in it. */
  engineVersion: string;
  /**
   * The version and the instruction sets in use. Two processors round differently, which moves the
   * scores of a quantised model by tenths of a nat; so it is on every reply, though not in the settings,
   * which would make one protocol two.
   */
  fingerprint: string;
  /** Scored calls and rationales keep a sequence each: their prompts share next to nothing. */
  scoring: PromptEvaluator;
  rationales(): Promise<PromptEvaluator>;
  dispose(): Promise<void>;
}

/** @throws AsvError `incompatible_evaluator` when the engine, the model or its template does not load */
export async function openModel(
  engine: LlamaEngine,
  setup: ModelSetup,
  signal: AbortSignal | undefined,
): Promise<OpenModel> {
  const { modelPath, gpu, threads } = setup;
  const runtime = await loading("engine", () =>
    engine.getLlama({ build: "never", gpu, maxThreads: threads, ...QUIET }),
  );
  try {
    const model = await loading("model", () =>
      runtime.loadModel({ modelPath, ...(signal && { loadSignal: signal }) }),
    );
    const contextSize = setup.contextSize ?? Math.min(model.trainContextSize, LARGEST_CONTEXT);
    const open = async () => {
      // Without flash attention, because with it a score depends on how its prompt was cut into batches.
      const options = { contextSize, batchSize: 2 * CHUNK + LEAST_TOGETHER, threads, flashAttention: false };
      const context = await loading("context", () => model.createContext(options));
      return new PromptEvaluator(context.getSequence(), setup.reusePrefix);
    };
    const engineVersion = await versionOf(engine, runtime);
    let rationales: Promise<PromptEvaluator> | undefined;
    return {
      model,
      conversation: openConversation(engine, model, setup.chatTemplate),
      labelTokens: findLabelTokens(model),
      contextSize,
      engineVersion,
      fingerprint: `${engineVersion}; ${enabledSets(runtime.systemInfo)}`,
      scoring: await open(),
      rationales: () => (rationales ??= open()),
      dispose: () => runtime.dispose(),
    };
  } catch (error) {
    await runtime.dispose();
    signal?.throwIfAborted();
    throw error;
  }
}

async function loading<T>(what: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    throw new AsvError(
      "incompatible_evaluator",
      `The ${what} cannot be loaded by node-llama-cpp: ${(error as Error).message}`,
      {},
      error,
    );
  }
}

async function versionOf(
  engine: LlamaEngine,
  runtime: Awaited<ReturnType<LlamaEngine["getLlama"]>>,
): Promise<string> {
  const version = (await engine.getModuleVersion?.()) ?? "of unknown version";
  return `node-llama-cpp ${version}, llama.cpp ${runtime.llamaCppRelease?.release ?? "of unknown version"}`;
}

function enabledSets(systemInfo = ""): string {
  const enabled = [...systemInfo.matchAll(/(\w+) = 1/g)].map(([, name]) => name);
  return enabled.length > 0 ? enabled.join(" ") : "unknown processor";
}
