import { AsvError } from "../../errors/index.ts";
import { isJsonObject, type JsonValue, type QualityFlag, type TokenUsage } from "../../schema/index.ts";
import type { CandidateReply } from "../evaluator.ts";

/** Least probability a score is taken from: the endpoint may round to 0, whose logarithm is no number. */
export const LEAST_PROBABILITY = 1e-9;
/** How far a sum of probabilities may be from 1: they come rounded. */
const SUM_TOLERANCE = 0.01;

/**
 * Log scores of a decision: ln max(p, 1e-9) for each candidate, flagged `probability_source`, and
 * `floor` where a probability was raised.
 *
 * @throws AsvError `evaluator_failed` with `fields.flag` `refusal` when the model declined, or
 * `invalid_response` for anything but one probability from 0 to 1 for each candidate, with sum 1
 */
export function readDecision(json: JsonValue, candidateIds: readonly string[]): CandidateReply {
  if (!isJsonObject(json)) throw unusable("it is no JSON object");
  const { answers, model } = json;
  const answer = Array.isArray(answers) ? answers[0] : undefined;
  if (!isJsonObject(answer)) throw unusable("it has no answer");
  if (answer["type"] === "refusal") throw unusable("the model declined to answer", "refusal");
  if (answer["type"] !== "choice") throw unusable("its answer is no choice");
  const probabilities = probabilitiesOf(answer["probabilities"], candidateIds);
  const raised = [...probabilities.values()].some((p) => p < LEAST_PROBABILITY);
  const usage = usageOf(json["usage"]);
  const flags: QualityFlag[] = ["probability_source"];
  if (raised) flags.push("floor");
  if ((usage?.reasoningTokens ?? 0) > 0) flags.push("reasoning_tokens");
  return {
    form: "candidates",
    scores: Object.fromEntries(
      candidateIds.map((id) => [id, Math.log(Math.max(probabilities.get(id)!, LEAST_PROBABILITY))]),
    ),
    ...(usage !== undefined && { usage }),
    ...(typeof model === "string" && { model }),
    flags,
  };
}

/** A choice the endpoint left out is no choice with probability 0: it is not known, so nothing is. */
function probabilitiesOf(list: JsonValue | undefined, candidateIds: readonly string[]): Map<string, number> {
  if (!Array.isArray(list)) throw unusable("it has no list of probabilities");
  const wanted = new Set(candidateIds);
  const found = new Map<string, number>();
  for (const entry of list) {
    if (!isJsonObject(entry)) throw unusable("a probability has no value");
    const { value, probability: p } = entry;
    if (typeof value !== "string" || !wanted.has(value))
      throw unusable("it names a choice that was not given");
    if (found.has(value)) throw unusable("it names a choice twice");
    if (typeof p !== "number" || !(p >= 0 && p <= 1)) throw unusable("a probability is not from 0 to 1");
    found.set(value, p);
  }
  if (found.size !== wanted.size) throw unusable("a choice has no probability");
  const sum = [...found.values()].reduce((total, p) => total + p, 0);
  if (Math.abs(sum - 1) > SUM_TOLERANCE) throw unusable("the probabilities do not sum to 1");
  return found;
}

function usageOf(usage: JsonValue | undefined): TokenUsage | undefined {
  if (!isJsonObject(usage)) return undefined;
  const detail = (of: string, name: string) => {
    const details = usage[of];
    return isJsonObject(details) ? count(details[name]) : undefined;
  };
  const read: Record<keyof Omit<TokenUsage, "extra">, number | undefined> = {
    promptTokens: count(usage["input_tokens"]),
    completionTokens: count(usage["output_tokens"]),
    cachedTokens: detail("input_tokens_details", "cached_tokens"),
    reasoningTokens: detail("output_tokens_details", "reasoning_tokens"),
  };
  const known = Object.entries(read).filter(([, value]) => value !== undefined);
  return known.length === 0 ? undefined : (Object.fromEntries(known) as TokenUsage);
}

function count(value: JsonValue | undefined): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

function unusable(problem: string, flag: QualityFlag = "invalid_response"): AsvError {
  return new AsvError("evaluator_failed", `The endpoint's decision cannot be used: ${problem}.`, { flag });
}
