import type { BatchForm } from "../evaluator.ts";
import type { ModelClient } from "./model-client.ts";
import { readRationaleCompletion, readScoredCompletion } from "./read-completion.ts";
import { rationaleBody, scoredBody, type CallShape } from "./request-body.ts";

/** Chat completions in a batch file: the bodies that the client would send, `model` first as it does. */
export function chatBatchForm(
  { model, preset }: Pick<ModelClient, "model" | "preset">,
  shape: CallShape,
): BatchForm {
  return Object.freeze({
    url: "/v1/chat/completions",
    scoredBody: ({ prompt }) => ({ model, ...scoredBody(shape, preset, prompt) }),
    rationaleBody: ({ prompt, maxTokens }) => ({ model, ...rationaleBody(shape, preset, prompt, maxTokens) }),
    readScored: (body) => readScoredCompletion(body, shape.topLogprobs),
    readRationale: readRationaleCompletion,
  } satisfies BatchForm);
}
