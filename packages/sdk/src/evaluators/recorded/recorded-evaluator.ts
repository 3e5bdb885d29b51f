import { AsvError, InvalidArgumentError } from "../../errors/index.ts";
import { protocolFromRecord, type EvaluatorSettings } from "../../protocol/index.ts";
import {
  sha256Hex,
  type QualityFlag,
  type RationaleRecord,
  type ScoreFileRecord,
  type ScoreRecord,
} from "../../schema/index.ts";
import type { Evaluator, EvaluatorReply, RationaleReply, RequestPlace } from "../evaluator.ts";

/** What {@link recordedEvaluator} is told. */
export interface RecordedOptions {
  /** Whose records to replay, where the file holds more than one protocol. */
  protocolId?: string;
  /** Settings of the recorded evaluator, for records that come without their protocol line. */
  settings?: EvaluatorSettings;
  /**
   * Answer although the prompt is not the recorded one, by state and mapping alone. Default false:
   * a score belongs to the bytes it was given for.
   */
  anyPrompt?: boolean;
}

/**
 * Replays the records of a score file: by task, candidate set, state and label order. It calls
 * nothing and costs nothing, and reads the stored first-token lists anew, so another floor rule can
 * be applied to a finished run. It has the settings of the evaluator that was recorded.
 *
 * A request that was not recorded throws `evaluator_failed`; so does one with another prompt.
 *
 * @throws InvalidArgumentError when the protocol or the settings are not clear from the records
 */
export function recordedEvaluator(
  records: Iterable<ScoreFileRecord>,
  options: RecordedOptions = {},
): Evaluator {
  const scores = new Map<string, ScoreRecord>();
  const rationales = new Map<string, RationaleRecord>();
  const seen = new Set<string>();
  let { settings } = options;
  for (const record of records) {
    if (options.protocolId !== undefined && record.protocolId !== options.protocolId) continue;
    seen.add(record.protocolId);
    if (record.record === "protocol") settings ??= protocolFromRecord(record).evaluator;
    if (record.record === "score") scores.set(placeKey({ ...record, order: record.mapping.order }), record);
    if (record.record === "rationale") rationales.set(placeKey({ ...record, order: [] }), record);
  }
  if (seen.size > 1) {
    throw new InvalidArgumentError("protocolId", `one of ${[...seen].join(", ")}`, options.protocolId);
  }
  if (settings === undefined) {
    throw new InvalidArgumentError("settings", "given, since the records hold no protocol line", settings);
  }
  const usesLabels = [...scores.values()].some(({ mapping }) => mapping.design !== "label-free");
  const find = <R extends { promptSha256?: string }>(
    from: Map<string, R>,
    place: RequestPlace | undefined,
    prompt: string,
  ) => {
    const record = place && from.get(placeKey(place));
    if (record === undefined) throw missing("this state and mapping were not recorded", place);
    const same = record.promptSha256 === undefined || record.promptSha256 === sha256Hex(prompt);
    if (!same && options.anyPrompt !== true) throw missing("it was recorded with another prompt", place);
    return record;
  };
  return Object.freeze({
    settings: Object.freeze({ ...settings }),
    capabilities: Object.freeze({
      maxCandidates: 26,
      usesLabels,
      rationale: rationales.size > 0,
      deterministic: true,
      slices: true,
    }),
    score: async ({ place, prompt }) => scoreReply(find(scores, place, prompt)),
    rationale: async ({ place, prompt }) => rationaleReply(find(rationales, place, prompt)),
  } satisfies Evaluator);
}

/** What an evaluator itself reports. The other flags of a record are found anew. */
const EVALUATOR_FLAGS: ReadonlySet<QualityFlag> = new Set([
  "reasoning_tokens",
  "refusal",
  "invalid_response",
  "prefix_reused",
  "probability_source",
]);

function scoreReply(record: ScoreRecord): EvaluatorReply {
  const { topLogprobs, topkAsked, firstToken, usage, modelReturned, fingerprint } = record;
  const common = {
    ...(usage !== undefined && { usage }),
    ...(modelReturned !== undefined && { model: modelReturned }),
    ...(fingerprint !== undefined && { fingerprint }),
    // Without a list, the evaluator itself raised its scores to a floor.
    flags: record.flags.filter(
      (flag) => EVALUATOR_FLAGS.has(flag) || (topLogprobs === undefined && flag === "floor"),
    ),
  };
  if (topLogprobs === undefined) return { form: "candidates", scores: record.scores, ...common };
  return {
    form: "logprobs",
    topLogprobs,
    topkAsked: topkAsked ?? topLogprobs.length,
    ...(firstToken !== undefined && { firstToken }),
    ...common,
  };
}

function rationaleReply({ text, finishReason, usage, modelReturned }: RationaleRecord): RationaleReply {
  return {
    text,
    ...(finishReason !== undefined && { finishReason }),
    ...(usage !== undefined && { usage }),
    ...(modelReturned !== undefined && { model: modelReturned }),
  };
}

function placeKey({ taskId, candidateSetSha256, stateSha256, order }: RequestPlace): string {
  return JSON.stringify([taskId, candidateSetSha256, stateSha256, order]);
}

function missing(why: string, place: RequestPlace | undefined): AsvError {
  return new AsvError("evaluator_failed", `There is no recorded answer: ${why}.`, {
    taskId: place?.taskId,
    stateSha256: place?.stateSha256,
  });
}
