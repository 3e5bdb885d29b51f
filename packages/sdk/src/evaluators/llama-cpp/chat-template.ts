import { AsvError } from "../../errors/index.ts";
import { sha256Hex } from "../../schema/index.ts";
import type { EngineChatWrapper, EngineModel, LlamaEngine, TokenId } from "./llama-engine.ts";

/**
 * How a prompt becomes a conversation. `model`: by the template in the model file, or, where it has
 * none, by the one the engine picks for it. `none`: not at all, for base models. `jinja`: by a
 * template of your own.
 */
export type ChatTemplate = "model" | "none" | { jinja: string };

/** A chosen template: prompt to tokens, up to where the model's answer begins. */
export interface Conversation {
  tokenize(prompt: string): TokenId[];
  /**
   * First 16 hex digits of the SHA-256 of the tokens around a fixed prompt: the same for two ways of
   * writing one template, different as soon as a model would see another conversation.
   */
  digest: string;
}

const PROBE = "prompt";

/**
 * @throws AsvError `incompatible_evaluator` for a template that cannot be rendered
 */
export function openConversation(
  engine: LlamaEngine,
  model: EngineModel,
  chatTemplate: ChatTemplate,
): Conversation {
  try {
    const render = renderer(engine, model, chatTemplate);
    const tokenize = (prompt: string) => withBos(model, render(prompt));
    const probe = tokenize(PROBE);
    // The ids alone would depend on the vocabulary only through chance; their texts say more.
    const shown = probe.map((token) => model.detokenize([token], true));
    return { tokenize, digest: sha256Hex(JSON.stringify([probe, shown])).slice(0, 16) };
  } catch (error) {
    throw new AsvError(
      "incompatible_evaluator",
      `The chat template cannot be rendered: ${(error as Error).message}. Give another one with the option chatTemplate.`,
      {},
      error,
    );
  }
}

function renderer(engine: LlamaEngine, model: EngineModel, chatTemplate: ChatTemplate) {
  // A prompt is foreign text: it is tokenised as plain text, never as control tokens.
  if (chatTemplate === "none") return (prompt: string) => model.tokenize(prompt, false);
  const wrapper = chooseWrapper(engine, model, chatTemplate);
  return (prompt: string) =>
    wrapper
      .generateContextState({
        chatHistory: [
          { type: "user", text: prompt },
          { type: "model", response: [] },
        ],
      })
      .contextText.tokenize(model.tokenizer);
}

/**
 * Asks for the template as it is. The engine's own choice may be a built-in format that is only like
 * it: for SmolLM2 that one leaves the system message out and begins with the first token twice.
 */
function chooseWrapper(
  engine: LlamaEngine,
  model: EngineModel,
  chatTemplate: "model" | { jinja: string },
): EngineChatWrapper {
  const own = chatTemplate === "model" ? undefined : chatTemplate.jinja;
  const hasTemplate = own !== undefined || storedTemplate(model) !== undefined;
  const wrapper = engine.resolveChatWrapper(model, {
    type: hasTemplate ? "jinjaTemplate" : "auto",
    ...(hasTemplate && {
      customWrapperSettings: {
        jinjaTemplate: {
          ...(own !== undefined && { template: own }),
          additionalRenderParameters: { enable_thinking: false },
        },
      },
    }),
    fallbackToOtherWrappersOnJinjaError: false,
    warningLogs: false,
  });
  if (wrapper === null) throw new Error("the model has none and the engine knows none for it");
  return wrapper;
}

function storedTemplate(model: EngineModel): string | undefined {
  const metadata = model.fileInfo.metadata as { tokenizer?: { chat_template?: unknown } } | undefined;
  const template = metadata?.tokenizer?.chat_template;
  return typeof template === "string" && template.trim() !== "" ? template : undefined;
}

/** Models that want a first token get it once, whether or not the template wrote it. */
function withBos(model: EngineModel, tokens: TokenId[]): TokenId[] {
  const { bos, shouldPrependBosToken } = model.tokens;
  return shouldPrependBosToken && bos !== null && tokens[0] !== bos ? [bos, ...tokens] : tokens;
}
