import { InvalidRecordError, showValue, type RecordPlace } from "../../errors/index.ts";
import { isJsonObject, type JsonObject } from "../json.ts";
import type { CloseRecord, LiveRecord, OpenRecord, StepRecord } from "../live-record.ts";
import { TRAJECTORY_SCHEMA, type Step } from "../trajectory.ts";
import { checkSchemaVersion, decodeRecord } from "./decode-record.ts";
import { taskType } from "./task-codec.ts";
import { NO_INDEX, redactionType, stepFields } from "./trajectory-codec.ts";
import { checkTask } from "./check-trajectory.ts";
import { defaulted, optional, record, required } from "./wire-type.ts";
import { finite, identifier, jsonObject, sha256, text, truth, word } from "./wire-values.ts";

const envelope = { schema_version: TRAJECTORY_SCHEMA };

const openType = record<OpenRecord>(
  {
    record: required("record", word("open")),
    trajectoryId: required("trajectory_id", identifier),
    sourceAdapter: defaulted("source_adapter", text, () => "standard_jsonl"),
    createdAt: optional("created_at", text),
    runId: optional("run_id", identifier),
    metadata: defaulted("metadata", jsonObject, () => ({})),
    task: required("task", taskType),
  },
  envelope,
);

/** A step record as it stands on its line: the step's own fields beside the record's. */
type FlatStepRecord = Omit<StepRecord, "step"> & Step;

const stepRecordType = record<FlatStepRecord>(
  {
    record: required("record", word("step")),
    trajectoryId: required("trajectory_id", identifier),
    ...stepFields,
    beforeSha256: optional("before_sha256", sha256),
    afterSha256: optional("after_sha256", sha256),
    redaction: optional("redaction", redactionType),
  },
  envelope,
);

function decodeStepRecord(json: JsonObject, place: RecordPlace): StepRecord {
  const flat = decodeRecord(stepRecordType, json, place);
  if (flat.index === NO_INDEX) {
    const problem = "is missing; live records come in any order, so a step must say its place";
    throw new InvalidRecordError(place, "index", problem);
  }
  const { record, trajectoryId, beforeSha256, afterSha256, redaction, ...step } = flat;
  return {
    record,
    trajectoryId,
    step,
    ...(beforeSha256 !== undefined && { beforeSha256 }),
    ...(afterSha256 !== undefined && { afterSha256 }),
    ...(redaction !== undefined && { redaction }),
  };
}

function encodeStepRecord({ step, ...rest }: StepRecord): JsonObject {
  return stepRecordType.encode({ ...rest, ...step });
}

const closeType = record<CloseRecord>(
  {
    record: required("record", word("close")),
    trajectoryId: required("trajectory_id", identifier),
    status: required("status", text),
    finalScore: optional("final_score", finite),
    success: optional("success", truth),
  },
  envelope,
);

/** True for JSON that names itself an open, step or close record. */
export function isLiveRecord(json: unknown): json is JsonObject {
  if (!isJsonObject(json) || !Object.hasOwn(json, "record")) return false;
  return json["record"] === "open" || json["record"] === "step" || json["record"] === "close";
}

/**
 * Reads one live record (`open`, `step` or `close`) from its parsed JSON. What needs the whole
 * trajectory, such as beliefs naming candidates only, is checked where the records are put together.
 *
 * @throws {InvalidRecordError} `invalid_record` or `unknown_schema_version`
 */
export function decodeLiveRecord(json: unknown, place: RecordPlace): LiveRecord {
  checkSchemaVersion(json, place, TRAJECTORY_SCHEMA, TRAJECTORY_SCHEMA);
  switch (json["record"]) {
    case "open": {
      const open = decodeRecord(openType, json, place);
      if (open.task.taskId === "") open.task.taskId = open.trajectoryId;
      checkTask(open.task, "task", (path, problem) => {
        throw new InvalidRecordError(place, path, problem);
      });
      return open;
    }
    case "step":
      return decodeStepRecord(json, place);
    case "close":
      return decodeRecord(closeType, json, place);
    default: {
      const problem = `must be "open", "step" or "close", got ${showValue(json["record"])}`;
      throw new InvalidRecordError(place, "record", problem);
    }
  }
}

/** The wire form of a live record, keys in a fixed order. */
export function encodeLiveRecord(live: LiveRecord): JsonObject {
  switch (live.record) {
    case "open":
      return openType.encode(live);
    case "step":
      return encodeStepRecord(live);
    case "close":
      return closeType.encode(live);
  }
}
