import type { StepResultFacts } from "../runs/step-result.ts";

/** What is read of the one step of an object call: the object's text, as the model wrote it or as it was read. */
export function objectFacts(
  outcome: unknown,
  text: unknown = (Object(outcome) as { objectText?: unknown }).objectText,
): StepResultFacts {
  const { usage, finishReason } = Object(outcome) as { usage?: unknown; finishReason?: unknown };
  return {
    number: undefined,
    content: [],
    messages: typeof text === "string" ? [{ role: "assistant", content: text }] : undefined,
    finishReason: typeof finishReason === "string" ? finishReason : undefined,
    usage,
  };
}
