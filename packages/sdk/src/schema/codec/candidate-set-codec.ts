import { InvalidRecordError, showValue, type RecordPlace } from "../../errors/index.ts";
import {
  CANDIDATES_SCHEMA,
  type CandidateFileRecord,
  type CandidateSetRecord,
  type GoldRecord,
} from "../candidate-set-record.ts";
import type { JsonObject } from "../json.ts";
import { checkCandidates } from "./check-trajectory.ts";
import { checkSchemaVersion, decodeRecord } from "./decode-record.ts";
import { candidateType, reviewType } from "./task-codec.ts";
import { defaulted, list, optional, record, required } from "./wire-type.ts";
import { identifier, sha256, text, word } from "./wire-values.ts";

const envelope = { schema_version: CANDIDATES_SCHEMA };

const candidateSetType = record<CandidateSetRecord>(
  {
    record: required("record", word("candidate_set")),
    taskId: required("task_id", identifier),
    question: required("question", text),
    type: defaulted("type", text, () => "candidate_set"),
    candidates: required("candidates", list(candidateType)),
    frozenSha256: optional("frozen_sha256", sha256),
    review: optional("review", reviewType),
    labelSource: optional("label_source", text),
  },
  envelope,
);

const goldType = record<GoldRecord>(
  {
    record: required("record", word("gold")),
    taskId: required("task_id", identifier),
    goldCandidateId: required("gold_candidate_id", identifier),
  },
  envelope,
);

/**
 * Reads one line of a candidate-set file: a candidate set or, kept apart from it, a target.
 *
 * @throws {InvalidRecordError} `invalid_record` or `unknown_schema_version`
 */
export function decodeCandidateFileRecord(json: unknown, place: RecordPlace): CandidateFileRecord {
  checkSchemaVersion(json, place, CANDIDATES_SCHEMA);
  const fail = (path: string, problem: string): never => {
    throw new InvalidRecordError(place, path, problem);
  };
  switch (json["record"]) {
    case "candidate_set": {
      // As an unknown key it would survive into every copy of a file that is meant to be shown.
      if (Object.hasOwn(json, "gold_candidate_id")) {
        fail(
          "gold_candidate_id",
          'must not stand in a candidate set; write it as a record "gold" of its own',
        );
      }
      const set = decodeRecord(candidateSetType, json, place);
      checkCandidates(set.candidates, "candidates", fail);
      return set;
    }
    case "gold":
      return decodeRecord(goldType, json, place);
    default:
      return fail("record", `must be "candidate_set" or "gold", got ${showValue(json["record"])}`);
  }
}

/** The wire form of a line of a candidate-set file, keys in a fixed order. */
export function encodeCandidateFileRecord(line: CandidateFileRecord): JsonObject {
  return line.record === "gold" ? goldType.encode(line) : candidateSetType.encode(line);
}
