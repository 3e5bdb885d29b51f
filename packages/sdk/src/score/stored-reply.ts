import { AsvError } from "../errors/index.ts";
import type { EvaluatorReply, RationaleReply } from "../evaluators/evaluator.ts";
import type { Normalisation } from "../protocol/index.ts";
import type { ByCandidate, JsonValue, TokenUsage, TopLogprob } from "../schema/index.ts";
import { readLabelScores, type LabelScores } from "./read-label-scores.ts";

/**
 * A reply in the form it is kept and used in, so that a record made from the cache equals one made
 * from the call: plain JSON, with every log-probability that is not finite as null.
 */
export function storable(reply: EvaluatorReply | RationaleReply): JsonValue {
  return JSON.parse(JSON.stringify(reply)) as JsonValue;
}

/** A stored scored reply, typed. */
export function scoredReply(value: JsonValue): EvaluatorReply {
  return value as unknown as EvaluatorReply;
}

/** A stored rationale, typed. */
export function rationaleReply(value: JsonValue): RationaleReply {
  return value as unknown as RationaleReply;
}

export function usageOf(value: JsonValue): TokenUsage | undefined {
  return (value as { usage?: TokenUsage } | null)?.usage;
}

/** Throws `evaluator_failed` unless the value is a rationale. */
export function checkRationaleReply(value: JsonValue): void {
  if (typeof (value as { text?: unknown } | null)?.text === "string") return;
  throw invalid("the rationale has no text");
}

/** What a scored reply says about the candidates. */
export type ReplyScores = Omit<LabelScores, "labelScores" | "labelMass"> &
  Partial<Pick<LabelScores, "labelScores" | "labelMass">>;

/**
 * Scores of a stored reply, whichever form it has.
 *
 * @throws AsvError `evaluator_failed` for a reply that cannot be read
 */
export function replyScores(
  value: JsonValue,
  candidateIds: readonly string[],
  labelToCandidate: Readonly<Record<string, string>>,
  { floor }: Normalisation,
): ReplyScores {
  const reply = scoredReply(value);
  if (reply?.form === "candidates") {
    const scores = candidateScores(reply.scores, candidateIds);
    const same = new Set(Object.values(scores)).size === 1;
    return { scores, floored: [], flags: same ? ["degenerate_distribution"] : [] };
  }
  if (reply?.form !== "logprobs" || !isTopList(reply.topLogprobs))
    throw invalid("the reply has no known form");
  const { topLogprobs, topkAsked, firstToken } = reply;
  const reading = readLabelScores({
    topLogprobs,
    labelToCandidate,
    floor,
    ...(typeof topkAsked === "number" && { topkAsked }),
    ...(firstToken !== undefined && { firstToken }),
  });
  return { ...reading, scores: candidateScores(reading.scores, candidateIds) };
}

/** The scores in candidate order, one finite number each and no other. */
function candidateScores(scores: ByCandidate, candidateIds: readonly string[]): ByCandidate {
  const given = scores ?? {};
  if (Object.keys(given).length !== candidateIds.length) throw invalid("not one score a candidate");
  return Object.fromEntries(
    candidateIds.map((id) => {
      const score = Object.hasOwn(given, id) ? given[id] : undefined;
      if (typeof score !== "number" || !Number.isFinite(score))
        throw invalid(`no finite score for candidate ${id}`);
      return [id, score];
    }),
  );
}

function isTopList(list: unknown): list is TopLogprob[] {
  return (
    Array.isArray(list) && list.every((entry) => typeof (entry as TopLogprob | null)?.token === "string")
  );
}

function invalid(problem: string): AsvError {
  return new AsvError("evaluator_failed", `The evaluator's reply cannot be used: ${problem}.`, {
    flag: "invalid_response",
  });
}
