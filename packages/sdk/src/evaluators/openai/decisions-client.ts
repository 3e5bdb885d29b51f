import { decisionsEvaluator } from "../decisions/index.ts";
import type { Evaluator } from "../evaluator.ts";
import { createModelClient, type ModelClientOptions } from "./model-client.ts";

/**
 * The decisions evaluator over the `openai` package: `POST /decisions` with the same limits, retries
 * and care for the key as every other call.
 *
 * @example openaiDecisionsEvaluator({ model: "gpt-6-luna", apiKey })
 * @throws what `createModelClient` throws
 */
export function openaiDecisionsEvaluator(options: ModelClientOptions): Evaluator {
  return decisionsEvaluator(createModelClient(options));
}
