import { contentTexts } from "../projection/content-texts.ts";
import { isMessage } from "../projection/message-like.ts";

/**
 * What is known of an agent when it is wrapped: createAgent adds its system prompt to every model
 * call and never to the state, so it is recorded once a run instead.
 */
export function actorConfig(target: unknown): Readonly<Record<string, string>> | undefined {
  try {
    const { options } = target as { options?: { systemPrompt?: unknown } };
    const prompt = options?.systemPrompt;
    const text = isMessage(prompt)
      ? contentTexts(prompt.content)
          .map((part) => part.text)
          .join("\n")
      : prompt;
    return typeof text === "string" && text !== "" ? { system_prompt: text } : undefined;
  } catch {
    return undefined;
  }
}
