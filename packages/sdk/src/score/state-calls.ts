import { labelsOf } from "../candidates/index.ts";
import type { RationaleRequest, RequestPlace, ScoreRequest } from "../evaluators/evaluator.ts";
import { renderRationalePrompt, renderScoredPrompt } from "../protocol/index.ts";
import { digestOf, sha256Hex, type JsonValue, type MappingRow } from "../schema/index.ts";
import type { StateUnit } from "./enumerate-states.ts";
import type { ScoringPlanOptions } from "./score-options.ts";
import { estimateTokens, type CallTokens } from "./token-estimate.ts";

/** Changes when stored replies can no longer be read. */
const CACHE_SCHEMA = "asv.reply.v1";

/** A call that could be made: what is sent, under which key its reply is kept, what it may cost. */
export interface PlannedCall<R> {
  request: R;
  key: string;
  estimate: CallTokens;
  /** SHA-256 of the prompt; absent for an evaluator that is sent none. */
  promptSha256?: string;
}

type Run = Pick<ScoringPlanOptions, "protocol" | "evaluator">;

/** The first pass over a state: its rationale call. */
export function rationaleCall(run: Run, unit: StateUnit, maxTokens: number): PlannedCall<RationaleRequest> {
  const prompt = renderRationalePrompt(unit);
  const promptSha256 = sha256Hex(prompt);
  return {
    request: { place: placeOf(unit, []), prompt, maxTokens },
    key: cacheKey(run, { call: "rationale", prompt: promptSha256, maxTokens }),
    estimate: { prompt: estimateTokens(prompt), completion: maxTokens, cached: 0 },
    promptSha256,
  };
}

/** The second pass: one scored call under one label mapping. */
export function scoredCall(
  run: Run,
  unit: StateUnit,
  row: MappingRow,
  buffer: string,
): PlannedCall<ScoreRequest> {
  const { question, candidates, blocks } = unit;
  const shown = { place: placeOf(unit, row.order), question, candidates, blocks };
  if (!run.evaluator.capabilities.usesLabels) {
    return {
      request: { ...shown, labelToCandidate: {}, prompt: "" },
      key: cacheKey(run, { call: "score", question, candidates, blocks } as unknown as Record<
        string,
        JsonValue
      >),
      estimate: { prompt: 0, completion: 0, cached: 0 },
    };
  }
  const labelToCandidate = labelsOf(row);
  const { text: prompt } = renderScoredPrompt({ ...unit, buffer, labelToCandidate });
  const promptSha256 = sha256Hex(prompt);
  return {
    request: { ...shown, labelToCandidate, prompt },
    key: cacheKey(run, { call: "score", prompt: promptSha256 }),
    estimate: { prompt: estimateTokens(prompt), completion: 1, cached: 0 },
    promptSha256,
  };
}

/**
 * Content address of a reply: the evaluator's settings and everything it is sent. Floor, template
 * name and mapping design are not in it, since they act through the prompt or after the reply; so a
 * protocol that sends the same bytes asks nothing again. The target is never in it.
 */
function cacheKey({ evaluator }: Run, sent: Record<string, JsonValue>): string {
  return digestOf({ schema: CACHE_SCHEMA, evaluator: evaluator.settings as unknown as JsonValue, ...sent });
}

function placeOf(unit: StateUnit, order: readonly string[]): RequestPlace {
  const { taskId, candidateSetSha256, stateSha256 } = unit;
  return { taskId, candidateSetSha256, stateSha256, order };
}
