import {
  AsvError,
  digestOf,
  isJsonObject,
  readGeneratedAnswers,
  type Evaluator,
  type JsonValue,
  type TextWriter,
} from "@agent-step-value/sdk";
import type { ScoreCache } from "@agent-step-value/sdk/score";

/**
 * Text through an evaluator's rationale call, kept in a cache so that an interrupted run pays for
 * nothing twice. A reply that could not be used is not kept: it would be found again and again.
 */
export function cachedTextWriter(evaluator: Evaluator, cache: ScoreCache): TextWriter {
  const { settings } = evaluator;
  if (evaluator.rationale === undefined) {
    throw new AsvError("incompatible_evaluator", `Evaluator ${settings.kind} writes no text.`, {
      evaluator: settings.kind,
    });
  }
  return async ({ prompt, maxTokens, signal }) => {
    const key = digestOf({
      schema: "asv.reply.v1",
      evaluator: settings as unknown as JsonValue,
      call: "candidates",
      prompt,
      maxTokens,
    });
    const stored = await cache.get(key);
    if (isJsonObject(stored) && typeof stored["text"] === "string") return stored as { text: string };
    const reply = await evaluator.rationale!({ prompt, maxTokens, ...(signal !== undefined && { signal }) });
    const { text, model } = reply;
    const kept = { text, ...(model !== undefined && { model }) };
    if (readGeneratedAnswers(text).answers !== undefined) await cache.put(key, kept);
    return kept;
  };
}
