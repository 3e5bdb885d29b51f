import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { ScriptedModel } from "./scripted-model.ts";

/** A service with an OpenAI-compatible interface. */
interface Service {
  readonly key: string;
  readonly model: string;
  readonly baseURL: string | undefined;
}

interface OpenAiModule {
  readonly ChatOpenAI: new (fields: Record<string, unknown>) => BaseChatModel;
}

function service(env: NodeJS.ProcessEnv): Service | undefined {
  if (env["OPENAI_API_KEY"]) {
    return {
      key: env["OPENAI_API_KEY"],
      model: env["ASV_EXAMPLE_MODEL"] ?? "gpt-4.1-mini",
      baseURL: env["OPENAI_BASE_URL"],
    };
  }
  if (env["DEEPSEEK_API_KEY"]) {
    return {
      key: env["DEEPSEEK_API_KEY"],
      model: env["ASV_EXAMPLE_MODEL"] ?? "deepseek-chat",
      baseURL: "https://api.deepseek.com/v1",
    };
  }
  return undefined;
}

/** The package is not among this example's own; a variable keeps the compiler from looking for it. */
const OPENAI_PACKAGE = "@langchain/openai";

/**
 * The model of the run: OpenAI's or DeepSeek's where OPENAI_API_KEY or DEEPSEEK_API_KEY is set, else
 * the scripted one.
 *
 * @throws Error saying what to install when a key is set and `@langchain/openai` is missing
 */
export async function chooseModel(env: NodeJS.ProcessEnv = process.env): Promise<BaseChatModel> {
  const chosen = service(env);
  if (chosen === undefined) return new ScriptedModel();
  let openai: OpenAiModule;
  try {
    openai = (await import(OPENAI_PACKAGE)) as OpenAiModule;
  } catch (cause) {
    throw new Error(
      `A key for ${chosen.model} is set, but ${OPENAI_PACKAGE} is not installed. ` +
        `Run: npm install --no-save ${OPENAI_PACKAGE}. Or unset the key to use the scripted model.`,
      { cause },
    );
  }
  return new openai.ChatOpenAI({
    model: chosen.model,
    apiKey: chosen.key,
    temperature: 0,
    configuration: { baseURL: chosen.baseURL },
  });
}
