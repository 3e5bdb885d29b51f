import type { Evaluator } from "@agent-step-value/sdk";
import type { ModelClientOptions } from "@agent-step-value/sdk/evaluators/openai";
import { loadModelEvaluators, modelClientOptions, type ModelOptions } from "./model-options.ts";

type DecisionsRequest = ModelOptions & Pick<ModelClientOptions, "onWait"> & { dryRun?: boolean };

/** The Decisions endpoint; it takes none of the options that shape a scored chat call. */
export async function decisions(request: DecisionsRequest): Promise<Evaluator> {
  const client = await modelClientOptions(request, request.dryRun !== true);
  const { openaiDecisionsEvaluator } = await loadModelEvaluators();
  return openaiDecisionsEvaluator({
    ...client,
    ...(request.onWait !== undefined && { onWait: request.onWait }),
  });
}
