import type { EvaluatorReply, RationaleReply } from "../evaluators/evaluator.ts";
import type { EvaluatorSettings, Protocol, RationaleCheck } from "../protocol/index.ts";
import type {
  MappingRow,
  QualityFlag,
  RationaleRecord,
  ScoreRecord,
  UnscoredRecord,
} from "../schema/index.ts";
import type { StateUnit } from "./enumerate-states.ts";
import type { SwappedRationale } from "./rationale-source.ts";
import { sortFlags } from "./sort-flags.ts";
import type { ReplyScores } from "./stored-reply.ts";

/** What one score record is made of. */
export interface ScoredRow {
  unit: StateUnit;
  protocol: Protocol;
  evaluator: EvaluatorSettings;
  row: MappingRow;
  reply: EvaluatorReply;
  reading: ReplyScores;
  promptSha256: string | undefined;
  rationaleSha256: string | undefined;
  /** Flags of the rationale. */
  flags: readonly QualityFlag[];
}

/** A score record (SPEC section 2.5). It holds no time and no target, so equal work is equal bytes. */
export function scoreRecord(scored: ScoredRow): ScoreRecord {
  const { unit, protocol, evaluator, row, reply, reading, promptSha256, rationaleSha256 } = scored;
  const { flags: readingFlags, ...scores } = reading;
  return {
    record: "score",
    ...identity(unit, protocol.id),
    evaluator: { kind: evaluator.kind, model: evaluator.model },
    mapping: row,
    ...scores,
    ...(reply.form === "logprobs" && { topLogprobs: reply.topLogprobs, topkAsked: reply.topkAsked }),
    ...(reply.form === "logprobs" && reply.firstToken !== undefined && { firstToken: reply.firstToken }),
    flags: sortFlags(unit.flags, scored.flags, reply.flags ?? [], readingFlags),
    ...(reply.usage !== undefined && { usage: reply.usage }),
    ...(reply.model !== undefined && { modelReturned: reply.model }),
    ...(reply.fingerprint !== undefined && { fingerprint: reply.fingerprint }),
    ...(promptSha256 !== undefined && { promptSha256 }),
    ...(rationaleSha256 !== undefined && { rationaleSha256 }),
  };
}

/** The record of a state that has no score under a mapping; it is never counted as zero. */
export function unscoredRecord(
  unit: StateUnit,
  protocolId: string,
  row: MappingRow,
  reason: string,
): UnscoredRecord {
  return { record: "unscored", ...identity(unit, protocolId), mapping: row, reason };
}

/** The record of a rationale, with what its checks found. */
export function rationaleRecord(
  unit: StateUnit,
  protocolId: string,
  reply: RationaleReply,
  { flags, coverage }: RationaleCheck,
  promptSha256: string,
): RationaleRecord {
  return {
    record: "rationale",
    ...identity(unit, protocolId),
    text: reply.text,
    ...(reply.finishReason !== undefined && { finishReason: reply.finishReason }),
    flags: sortFlags(flags),
    coverage,
    ...(reply.usage !== undefined && { usage: reply.usage }),
    ...(reply.model !== undefined && { modelReturned: reply.model }),
    promptSha256,
  };
}

/** The record of a swapped buffer: no call wrote it, so it has no usage. */
export function swappedRecord(
  unit: StateUnit,
  protocolId: string,
  { origin, promptSha256, modelReturned, ...reply }: SwappedRationale,
  check: RationaleCheck,
): RationaleRecord {
  const model = modelReturned === undefined ? {} : { model: modelReturned };
  const record = rationaleRecord(unit, protocolId, { ...reply, ...model }, check, promptSha256);
  return { ...record, swappedFrom: origin };
}

function identity({ taskId, candidateSetSha256, stateSha256 }: StateUnit, protocolId: string) {
  return { taskId, candidateSetSha256, stateSha256, protocolId };
}
