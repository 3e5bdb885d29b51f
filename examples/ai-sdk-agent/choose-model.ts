import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { LanguageModel } from "ai";
import { scriptedModel } from "./scripted-model.ts";

/** A service with an OpenAI-compatible interface. */
interface Service {
  readonly name: string;
  readonly apiKey: string;
  readonly baseURL: string;
  readonly model: string;
}

function service(env: NodeJS.ProcessEnv): Service | undefined {
  const { OPENAI_API_KEY, DEEPSEEK_API_KEY, OPENAI_BASE_URL, ASV_EXAMPLE_MODEL } = env;
  if (OPENAI_API_KEY) {
    const baseURL = OPENAI_BASE_URL || "https://api.openai.com/v1";
    return { name: "openai", apiKey: OPENAI_API_KEY, baseURL, model: ASV_EXAMPLE_MODEL ?? "gpt-4.1-mini" };
  }
  if (DEEPSEEK_API_KEY) {
    const baseURL = "https://api.deepseek.com/v1";
    return {
      name: "deepseek",
      apiKey: DEEPSEEK_API_KEY,
      baseURL,
      model: ASV_EXAMPLE_MODEL ?? "deepseek-chat",
    };
  }
  return undefined;
}

/** The model of the run: a real one where OPENAI_API_KEY or DEEPSEEK_API_KEY is set, else the scripted one. */
export function chooseModel(env: NodeJS.ProcessEnv = process.env): LanguageModel {
  const chosen = service(env);
  if (chosen === undefined) return scriptedModel();
  const { name, apiKey, baseURL, model } = chosen;
  return createOpenAICompatible({ name, apiKey, baseURL })(model);
}
