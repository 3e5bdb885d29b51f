import { AsvError, InvalidArgumentError } from "../../errors/index.ts";
import type { EvaluatorSettings } from "../../protocol/index.ts";
import type { Evaluator } from "../evaluator.ts";
import type { ChatTemplate } from "./chat-template.ts";
import { firstTokenList } from "./first-token-list.ts";
import { countLabels } from "./label-tokens.ts";
import type { LlamaEngine } from "./llama-engine.ts";
import { loadEngine } from "./load-engine.ts";
import { modelIdentity } from "./model-identity.ts";
import { oneAtATime } from "./one-at-a-time.ts";
import { openModel, type OpenModel } from "./open-model.ts";
import { LEAST_TOGETHER } from "./prompt-evaluator.ts";

/** What {@link llamaCppEvaluator} is told. */
export interface LlamaCppOptions {
  /** A GGUF file. */
  modelPath: string;
  /** Tokens of a prompt and its answer together. Default: what the model was trained on, 8192 at most. */
  contextSize?: number;
  /**
   * Threads that compute. Default 1: engines spin while they wait for each other, so one thread too
   * many on a busy machine costs a hundred times more than it gains. It changes no score.
   */
  threads?: number;
  /** `auto` uses a GPU where there is one; scores may then depend on what was asked before. Default false. */
  gpu?: false | "auto";
  /** Default `model`. */
  chatTemplate?: ChatTemplate;
  /** Start each prompt from what it shares with the one before. Default true. */
  reusePrefix?: boolean;
  /** The module `node-llama-cpp`, where it is not to be found beside the SDK. Default: import it. */
  engine?: LlamaEngine;
  /** Stops loading. */
  signal?: AbortSignal;
}

/** An evaluator that holds a model in memory until it is told not to. */
export interface LlamaCppEvaluator extends Evaluator {
  /** Frees model and contexts. Calls after it fail. */
  dispose(): Promise<void>;
}

/** Entries of the top list besides the labels' own. */
const TOP_LOGPROBS = 20;

/**
 * Scores labels with a GGUF model inside this process, through node-llama-cpp (an optional peer).
 *
 * A label's log-probabilities come from the logits of the whole vocabulary at the first answer
 * position, for every token that stands for it (paper section 3.2, eq. 1), so none is ever missing.
 * The reply lists them and the 20 likeliest tokens. Rationales are written at temperature 0.
 *
 * One call runs at a time, in order of arrival. On a CPU a score that started from a kept prefix was
 * equal to the bit to one that did not (docs/models.md); such replies carry `prefix_reused`. A prompt
 * that does not fit the context throws `evaluator_failed`; nothing is ever cut.
 *
 * @example
 * const evaluator = await llamaCppEvaluator({ modelPath: "model.gguf", threads: 4 });
 * @throws AsvError `incompatible_evaluator` when node-llama-cpp is missing or cannot load the model,
 * `unreadable_source` for a model file that is not there; InvalidArgumentError for an option out of range
 */
export async function llamaCppEvaluator(options: LlamaCppOptions): Promise<LlamaCppEvaluator> {
  const { modelPath, threads = 1, gpu = false, chatTemplate = "model", reusePrefix = true } = options;
  const { contextSize, signal } = options;
  checkCount("threads", threads, 1);
  if (contextSize !== undefined) checkCount("contextSize", contextSize, 2 * LEAST_TOGETHER);
  signal?.throwIfAborted();
  const engine = options.engine ?? (await loadEngine());
  const name = await modelIdentity(modelPath, signal);
  const setup = { modelPath, contextSize, threads, gpu, chatTemplate, reusePrefix };
  const opened = await openModel(engine, setup, signal);
  return asEvaluator(opened, name, gpu);
}

function asEvaluator(opened: OpenModel, name: string, gpu: false | "auto"): LlamaCppEvaluator {
  const { model, conversation, labelTokens, contextSize, engineVersion, fingerprint } = opened;
  const takeTurn = oneAtATime();
  let disposed = false;

  const inTurn = <T>(work: () => Promise<T>, callSignal: AbortSignal | undefined): Promise<T> =>
    takeTurn(async () => {
      if (disposed) {
        throw new AsvError("evaluator_failed", "The llama-cpp evaluator was disposed; open a new one.", {
          fatal: true,
        });
      }
      try {
        return await work();
      } catch (error) {
        callSignal?.throwIfAborted();
        if (AsvError.isInstance(error)) throw error;
        throw new AsvError(
          "evaluator_failed",
          `The model could not answer: ${(error as Error).message}`,
          {},
          error,
        );
      }
    }, callSignal);

  const fitted = (prompt: string, answer: number) => {
    const tokens = conversation.tokenize(prompt);
    if (tokens.length + answer <= contextSize) return tokens;
    throw new AsvError(
      "evaluator_failed",
      `A prompt of ${tokens.length} tokens and an answer of ${answer} do not fit the context of ${contextSize}. ` +
        "Open the model with a larger contextSize, or show less of the state (projection.maxChars).",
      { promptTokens: tokens.length, contextSize },
    );
  };

  return Object.freeze({
    settings: Object.freeze(settingsOf(name, conversation.digest, engineVersion, gpu)),
    capabilities: Object.freeze({
      maxCandidates: countLabels(labelTokens),
      usesLabels: true,
      rationale: true,
      deterministic: gpu === false,
      slices: true,
    }),
    score: (request) =>
      inTurn(async () => {
        const tokens = fitted(request.prompt, 1);
        const { logits, reused } = await opened.scoring.next(tokens, request.signal);
        const wanted = Object.keys(request.labelToCandidate).flatMap((label) => labelTokens.get(label) ?? []);
        const { list, top } = firstTokenList(logits, model, wanted, TOP_LOGPROBS);
        return {
          form: "logprobs" as const,
          topLogprobs: list,
          topkAsked: list.length,
          firstToken: top,
          usage: { promptTokens: tokens.length, completionTokens: 0, cachedTokens: reused },
          model: name,
          fingerprint,
          flags: reused > 0 ? ["prefix_reused" as const] : [],
        };
      }, request.signal),
    rationale: (request) =>
      inTurn(async () => {
        const tokens = fitted(request.prompt, request.maxTokens);
        const writer = await opened.rationales();
        const { written, ended, reused } = await writer.write(tokens, request.maxTokens, request.signal);
        return {
          text: model.detokenize(written),
          finishReason: ended ? "stop" : "length",
          usage: { promptTokens: tokens.length, completionTokens: written.length, cachedTokens: reused },
          model: name,
        };
      }, request.signal),
    dispose: () =>
      takeTurn(async () => {
        if (disposed) return;
        disposed = true;
        await opened.dispose();
      }),
  } satisfies LlamaCppEvaluator);
}

/** Threads, context size and prefix reuse are left out: they change no score. */
function settingsOf(
  name: string,
  templateDigest: string,
  engineVersion: string,
  gpu: false | "auto",
): EvaluatorSettings {
  return {
    kind: "llama-cpp",
    model: name,
    temperature: 0,
    thinking: false,
    topLogprobs: TOP_LOGPROBS,
    parameters: Object.freeze({
      engine: engineVersion,
      template_sha256: templateDigest,
      logprobs: "whole vocabulary, before sampling",
      flash_attention: false,
      gpu: gpu === "auto",
    }),
  };
}

function checkCount(option: string, value: number, least: number): void {
  if (Number.isSafeInteger(value) && value >= least) return;
  throw new InvalidArgumentError(option, `an integer, ${least} or more`, value);
}
