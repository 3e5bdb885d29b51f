import { z } from "zod";
import { InvalidRecordError, showValue, type RecordPlace } from "../../errors/index.ts";
import { isJsonObject, type JsonObject } from "../json.ts";
import {
  SCORE_SCHEMA,
  type EvaluatorIdentity,
  type MappingRow,
  type ProtocolRecord,
  type RationaleOrigin,
  type RationaleRecord,
  type ScoreFileRecord,
  type ScoreRecord,
  type TokenUsage,
  type TopLogprob,
  type UnscoredRecord,
} from "../score-record.ts";
import { checkSchemaVersion, decodeRecord } from "./decode-record.ts";
import { optional, record, required, type WireType } from "./wire-type.ts";
import {
  count,
  finite,
  identifier,
  jsonValue,
  logScore,
  logScores,
  oneOf,
  qualityFlags,
  sha256,
  text,
  texts,
  word,
} from "./wire-values.ts";

const envelope = { schema_version: SCORE_SCHEMA };

const evaluatorType = record<EvaluatorIdentity>({
  kind: required("kind", text),
  model: required("model", text),
});

const mappingType = record<MappingRow>({
  design: required("design", oneOf(["fixed", "balanced", "label-free"])),
  index: required("index", count),
  order: required("order", texts),
});

const originType = record<RationaleOrigin>({
  taskId: required("task_id", identifier),
  stateSha256: required("state_sha256", sha256),
  protocolId: required("protocol_id", identifier),
});

const usageType = record<TokenUsage>({
  promptTokens: optional("prompt_tokens", count),
  completionTokens: optional("completion_tokens", count),
  cachedTokens: optional("cached_tokens", count),
  reasoningTokens: optional("reasoning_tokens", count),
});

/** Kept exactly as the server sent it. */
const topLogprobs: WireType<TopLogprob[]> = {
  schema: z.custom(
    (value) => Array.isArray(value) && value.every(isTopLogprob),
    "must be an array of {token, logprob} with logprob a number or null",
  ),
};

const topLogprob: WireType<TopLogprob> = {
  schema: z.custom(isTopLogprob, "must be {token, logprob} with logprob a number or null"),
};

function isTopLogprob(value: unknown): boolean {
  if (!isJsonObject(value) || typeof value["token"] !== "string") return false;
  return value["logprob"] === null || typeof value["logprob"] === "number";
}

const protocolType = record<ProtocolRecord>(
  {
    record: required("record", word("protocol")),
    protocolId: required("protocol_id", identifier),
    name: required("name", text),
    protocol: required("protocol", jsonValue),
  },
  envelope,
);

/** Which state, candidates and protocol a line is about. */
const subject = {
  taskId: required("task_id", identifier),
  candidateSetSha256: required("candidate_set_sha256", sha256),
  stateSha256: required("state_sha256", sha256),
  protocolId: required("protocol_id", identifier),
};

const scoreType = record<ScoreRecord>(
  {
    record: required("record", word("score")),
    ...subject,
    evaluator: required("evaluator", evaluatorType),
    mapping: required("mapping", mappingType),
    labelScores: optional("label_scores", logScores),
    scores: required("scores", logScores),
    floored: required("floored", texts),
    floorBound: optional("floor_bound", logScore),
    labelMass: optional("label_mass", finite),
    topLogprobs: optional("top_logprobs", topLogprobs),
    topkAsked: optional("topk_asked", count),
    firstToken: optional("first_token", topLogprob),
    flags: required("flags", qualityFlags),
    usage: optional("usage", usageType),
    modelReturned: optional("model_returned", text),
    fingerprint: optional("fingerprint", text),
    promptSha256: optional("prompt_sha256", sha256),
    rationaleSha256: optional("rationale_sha256", sha256),
  },
  envelope,
);

const rationaleType = record<RationaleRecord>(
  {
    record: required("record", word("rationale")),
    ...subject,
    text: required("text", text),
    finishReason: optional("finish_reason", text),
    flags: required("flags", qualityFlags),
    coverage: required("coverage", finite),
    usage: optional("usage", usageType),
    modelReturned: optional("model_returned", text),
    promptSha256: required("prompt_sha256", sha256),
    swappedFrom: optional("swapped_from", originType),
  },
  envelope,
);

const unscoredType = record<UnscoredRecord>(
  {
    record: required("record", word("unscored")),
    ...subject,
    mapping: required("mapping", mappingType),
    reason: required("reason", text),
  },
  envelope,
);

/**
 * Reads one line of a score file: protocol, rationale, score or unscored.
 *
 * @throws {InvalidRecordError} `invalid_record` or `unknown_schema_version`
 */
export function decodeScoreFileRecord(json: unknown, place: RecordPlace): ScoreFileRecord {
  checkSchemaVersion(json, place, SCORE_SCHEMA);
  switch (json["record"]) {
    case "protocol":
      return decodeRecord(protocolType, json, place);
    case "rationale":
      return decodeRecord(rationaleType, json, place);
    case "score":
      return checkScore(decodeRecord(scoreType, json, place), place);
    case "unscored":
      return decodeRecord(unscoredType, json, place);
    default: {
      const problem = `must be "protocol", "rationale", "score" or "unscored", got ${showValue(json["record"])}`;
      throw new InvalidRecordError(place, "record", problem);
    }
  }
}

/** The parts of a score record must agree: they all say the same thing in different forms. */
function checkScore(record: ScoreRecord, place: RecordPlace): ScoreRecord {
  const { scores, floored, labelScores, mapping } = record;
  const stranger = floored.find((id) => !Object.hasOwn(scores, id));
  if (stranger !== undefined) {
    throw new InvalidRecordError(place, "floored", `names ${showValue(stranger)}, which has no score`);
  }
  if (labelScores === undefined) return record;
  const labels = Object.keys(labelScores).toSorted();
  mapping.order.forEach((id, i) => {
    const label = labels[i];
    if (label === undefined || labelScores[label] === scores[id]) return;
    throw new InvalidRecordError(
      place,
      `label_scores.${label}`,
      `is not the score of ${showValue(id)}, which it stands for`,
    );
  });
  return record;
}

/** The wire form of a line of a score file, keys in a fixed order. */
export function encodeScoreFileRecord(line: ScoreFileRecord): JsonObject {
  switch (line.record) {
    case "protocol":
      return protocolType.encode(line);
    case "rationale":
      return rationaleType.encode(line);
    case "score":
      return scoreType.encode(line);
    case "unscored":
      return unscoredType.encode(line);
  }
}
