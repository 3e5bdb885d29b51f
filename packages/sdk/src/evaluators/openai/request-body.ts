import { AsvError, InvalidArgumentError, showValue } from "../../errors/index.ts";
import type { EvaluatorSettings } from "../../protocol/index.ts";
import { canonicalJson, type JsonObject, type JsonValue } from "../../schema/index.ts";
import { modelBody } from "./find-preset.ts";
import type { ProviderPreset } from "./provider-presets.ts";

/** What of a call does not depend on the state. */
export interface CallShape {
  temperature: number;
  topLogprobs: number;
  prefill?: string;
  /** The preset's own fields, those of its rule for the model, and the user's, the later over the earlier. */
  extra: JsonObject;
  tokenLimit: ProviderPreset["tokenLimit"];
}

/** What a user may ask for. */
export interface ShapeOptions {
  model: string;
  temperature?: number;
  topLogprobs?: number;
  prefill?: string;
  body?: JsonObject;
}

/** Fields that the protocol decides; a user's own value would not be in its id. */
const OURS = [
  "model",
  "messages",
  "logprobs",
  "top_logprobs",
  "max_tokens",
  "max_completion_tokens",
  "temperature",
  "stream",
  "n",
];

/**
 * @throws AsvError `incompatible_evaluator` where preset and model cannot do what is asked, before
 * anything is sent; InvalidArgumentError for a value that makes no sense
 */
export function callShape(preset: ProviderPreset, options: ShapeOptions): CallShape {
  const { model, topLogprobs = Math.min(20, preset.maxTopLogprobs), prefill, body = {} } = options;
  const { temperature = preset.logprobs === "before-sampling" ? 0 : 1 } = options;
  if (!Number.isSafeInteger(topLogprobs) || topLogprobs < 2)
    throw new InvalidArgumentError("topLogprobs", "an integer, 2 or more", topLogprobs);
  if (!(temperature >= 0 && temperature <= 10))
    throw new InvalidArgumentError("temperature", "a number from 0 to 10", temperature);
  for (const name of OURS)
    if (Object.hasOwn(body, name))
      throw new InvalidArgumentError(`body.${name}`, "left out, since the protocol sets it", body[name]);
  const refuse = (problem: string) => {
    throw new AsvError("incompatible_evaluator", problem, { model, preset: preset.name });
  };
  if (topLogprobs > preset.maxTopLogprobs)
    refuse(
      `${preset.name} lists at most ${preset.maxTopLogprobs} top log-probabilities, not ${topLogprobs}.`,
    );
  if (prefill !== undefined && preset.prefill === undefined)
    refuse(`${preset.name} cannot go on from a begun answer; leave ${showValue(prefill)} out.`);
  return {
    temperature,
    topLogprobs,
    ...(prefill !== undefined && { prefill }),
    extra: {
      ...preset.body,
      ...modelBody(preset, model),
      ...(prefill !== undefined && preset.prefill?.body),
      ...body,
    },
    tokenLimit: preset.tokenLimit,
  };
}

/** Settings of a protocol: everything that changes what is sent, and never an address or a key. */
export function shapeSettings(shape: CallShape, model: string, endpoint: string): EvaluatorSettings {
  const extra = Object.entries(shape.extra).map(([name, value]) => [`body.${name}`, plain(value)]);
  return {
    kind: "openai",
    model,
    temperature: shape.temperature,
    thinking: false,
    topLogprobs: shape.topLogprobs,
    endpoint,
    parameters: {
      api: "chat.completions",
      token_limit: shape.tokenLimit,
      rationale_temperature: RATIONALE_TEMPERATURE,
      ...(shape.prefill !== undefined && { prefill: shape.prefill }),
      ...(Object.fromEntries(extra) as Record<string, string | number | boolean>),
    },
  };
}

/** A rationale is to be the same each time, as far as a server can. */
const RATIONALE_TEMPERATURE = 0;

/** One token, with the list of what it could have been. The two log-prob fields always go together. */
export function scoredBody(shape: CallShape, preset: ProviderPreset, prompt: string): JsonObject {
  const { prefill } = shape;
  const begun =
    prefill === undefined ? [] : [{ role: "assistant", content: prefill, ...preset.prefill?.message }];
  return {
    ...shape.extra,
    messages: [{ role: "user", content: prompt }, ...begun],
    [shape.tokenLimit]: 1,
    temperature: shape.temperature,
    logprobs: true,
    top_logprobs: shape.topLogprobs,
  };
}

/** Plain text of at most `maxTokens`, without log-probabilities and without a begun answer. */
export function rationaleBody(
  shape: CallShape,
  preset: ProviderPreset,
  prompt: string,
  maxTokens: number,
): JsonObject {
  const begun = new Set(shape.prefill === undefined ? [] : Object.keys(preset.prefill?.body ?? {}));
  return {
    ...Object.fromEntries(Object.entries(shape.extra).filter(([name]) => !begun.has(name))),
    messages: [{ role: "user", content: prompt }],
    [shape.tokenLimit]: maxTokens,
    temperature: RATIONALE_TEMPERATURE,
  };
}

function plain(value: JsonValue): string | number | boolean {
  return typeof value === "object" ? canonicalJson(value) : value;
}
