import { AsvError } from "../errors/index.ts";
import type { Evaluator, EvaluatorReply, ScoreRequest } from "../evaluators/evaluator.ts";
import type { Normalisation } from "../protocol/index.ts";
import type { ByCandidate, QualityFlag, TokenUsage, TopLogprob } from "../schema/index.ts";
import { failureReason, isFatal } from "../score/failure-reason.ts";
import { replyScores, storable } from "../score/stored-reply.ts";

/** One answer to a probe, read as a measured one would be. */
export interface ProbeAnswer {
  scores: ByCandidate;
  /** Candidate ids whose label was not listed. */
  floored: readonly string[];
  labelMass?: number;
  /** As received; absent from an evaluator that returns scores itself. */
  list?: readonly TopLogprob[];
  topkAsked?: number;
  usage?: TokenUsage;
  model?: string;
  flags: readonly QualityFlag[];
}

/** A call that brought no usable answer, and why, in the scorer's words. */
export interface ProbeFailure {
  reason: string;
  /** The quality flag the failure names, where it names one. */
  flag?: string;
  /** Every later call would fail alike. */
  fatal: boolean;
}

const FLOOR: Normalisation = { floor: { rule: "bounded", score: -20 }, variants: "label-variants-1" };

/** Makes one call and reads it. @throws the signal's reason once it has fired */
export async function askProbe(
  evaluator: Evaluator,
  request: ScoreRequest,
  signal: AbortSignal | undefined,
): Promise<{ answer: ProbeAnswer; failure?: never } | { answer?: never; failure: ProbeFailure }> {
  signal?.throwIfAborted();
  try {
    const reply = await evaluator.score({ ...request, ...(signal !== undefined && { signal }) });
    return { answer: answerOf(reply, request) };
  } catch (error) {
    signal?.throwIfAborted();
    const flag = AsvError.isInstance(error) ? error.fields["flag"] : undefined;
    return {
      failure: {
        reason: failureReason(error),
        ...(typeof flag === "string" && { flag }),
        fatal: isFatal(error),
      },
    };
  }
}

function answerOf(reply: EvaluatorReply, { candidates, labelToCandidate }: ScoreRequest): ProbeAnswer {
  const ids = candidates.map(({ id }) => id);
  const { scores, floored, labelMass, flags } = replyScores(storable(reply), ids, labelToCandidate, FLOOR);
  return {
    scores,
    floored,
    ...(labelMass !== undefined && { labelMass }),
    ...(reply.form === "logprobs" && { list: reply.topLogprobs, topkAsked: reply.topkAsked }),
    ...(reply.usage !== undefined && { usage: reply.usage }),
    ...(reply.model !== undefined && { model: reply.model }),
    flags: [...reply.flags, ...flags],
  };
}
