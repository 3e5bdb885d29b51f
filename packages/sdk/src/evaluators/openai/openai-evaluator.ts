import { AsvError } from "../../errors/index.ts";
import type { Evaluator } from "../evaluator.ts";
import type { JsonObject } from "../../schema/index.ts";
import { chatBatchForm } from "./chat-batch-form.ts";
import { requireCapability, type CapabilityReport } from "./capability.ts";
import { hopelessRun } from "./hopeless-run.ts";
import { createModelClient, type ModelClientOptions } from "./model-client.ts";
import { readRationaleCompletion, readScoredCompletion } from "./read-completion.ts";
import { callShape, rationaleBody, scoredBody, shapeSettings } from "./request-body.ts";

/** What {@link openaiEvaluator} is told. */
export interface OpenAIEvaluatorOptions extends ModelClientOptions {
  /** Entries of the top list. Default: 20, or as many as the provider lists. */
  topLogprobs?: number;
  /**
   * Of scored calls. Default: 0 where log-probabilities are known to be taken before sampling,
   * otherwise 1, which leaves them as they are. Rationales are always asked for at 0.
   */
  temperature?: number;
  /** Must be false, its default: a first token after hidden reasoning is another measurement. */
  thinking?: boolean;
  /** Begins the answer, where the provider can go on from it. */
  prefill?: string;
  /** More fields for every call, over the preset's: a provider to pin, a seed. They enter the protocol's id. */
  body?: JsonObject;
  /** What a probe found; a failed one is refused. */
  capability?: CapabilityReport;
  /** Score although the probe failed. */
  ignoreProbe?: boolean;
}

/** Labels A to Z. */
const MOST_LABELS = 26;

/**
 * Scores labels by the first-token log-probabilities of a model behind an OpenAI-compatible chat
 * endpoint (paper section 3.2, eq. 1), and writes rationales with the same model.
 *
 * @example
 * openaiEvaluator({ model: "deepseek-v4-flash", preset: "deepseek", apiKey, limits: { requestsPerMinute: 300 } })
 * @throws AsvError `incompatible_evaluator` for what model, provider or probe rule out, before anything
 * is sent; InvalidArgumentError for an option that makes no sense
 */
export function openaiEvaluator(options: OpenAIEvaluatorOptions): Evaluator {
  if (options.thinking === true) {
    throw new AsvError(
      "incompatible_evaluator",
      "A scored call reads the first token of an answer, so thinking must be off.",
      { model: options.model },
    );
  }
  const client = createModelClient(options);
  const { preset, endpoint, model } = client;
  const shape = callShape(preset, options);
  if (options.capability !== undefined && options.ignoreProbe !== true)
    requireCapability(options.capability, { endpoint, model });
  const [scored, written] = [hopelessRun(), hopelessRun()];
  return Object.freeze({
    settings: Object.freeze(shapeSettings(shape, model, endpoint)),
    capabilities: Object.freeze({
      maxCandidates: Math.min(shape.topLogprobs, MOST_LABELS),
      usesLabels: true,
      rationale: true,
      deterministic: false,
      slices: true,
    }),
    batch: chatBatchForm(client, shape),
    async score({ prompt, signal }) {
      const body = scoredBody(shape, preset, prompt);
      const { json } = await client.call({ body, tokens: guess(prompt) + 1, ...(signal && { signal }) });
      return scored(() => readScoredCompletion(json, shape.topLogprobs));
    },
    async rationale({ prompt, maxTokens, signal }) {
      const body = rationaleBody(shape, preset, prompt, maxTokens);
      const { json } = await client.call({
        body,
        tokens: guess(prompt) + maxTokens,
        ...(signal && { signal }),
      });
      return written(() => readRationaleCompletion(json));
    },
  } satisfies Evaluator);
}

/** Tokens of a prompt, for the limit per minute; the reply's own count corrects it. */
function guess(prompt: string): number {
  return Math.ceil(prompt.length / 4);
}
