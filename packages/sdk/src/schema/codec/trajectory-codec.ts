import { InvalidRecordError, type RecordPlace } from "../../errors/index.ts";
import type { JsonObject } from "../json.ts";
import { TRAJECTORY_SCHEMA, type RedactionSummary, type Step, type Trajectory } from "../trajectory.ts";
import { checkSteps, checkTask } from "./check-trajectory.ts";
import { checkSchemaVersion, decodeRecord } from "./decode-record.ts";
import { taskType } from "./task-codec.ts";
import { defaulted, list, optional, record, required, type Fields } from "./wire-type.ts";
import {
  belief,
  count,
  finite,
  identifier,
  jsonObject,
  logScores,
  numbersByName,
  text,
  truth,
  word,
} from "./wire-values.ts";

/** A step that does not say its index; its place in the trajectory fills it in. */
export const NO_INDEX = -1;

/** Fields of a step, in a trajectory's list and in a live step record alike. */
export const stepFields: Fields<Step> = {
  stepId: required("step_id", identifier),
  index: defaulted("index", count, () => NO_INDEX),
  action: defaulted("action", jsonObject, () => ({})),
  observation: defaulted("observation", jsonObject, () => ({})),
  stateBefore: optional("state_before", jsonObject),
  stateAfter: optional("state_after", jsonObject),
  beliefBefore: optional("belief_before", belief),
  beliefAfter: optional("belief_after", belief),
  rawScoresBefore: optional("raw_scores_before", logScores),
  rawScoresAfter: optional("raw_scores_after", logScores),
  cost: defaulted("cost", jsonObject, () => ({})),
  label: optional("label", text),
  labelSource: optional("label_source", text),
  labelConfidence: optional("label_confidence", finite),
  qualityFlags: defaulted("quality_flags", jsonObject, () => ({})),
  discontinuity: optional("discontinuity", truth),
};

const stepType = record<Step>(stepFields);

export const redactionType = record<RedactionSummary>({
  policy: required("policy", text),
  version: required("version", text),
  hits: defaulted("hits", numbersByName, () => ({})),
});

const trajectoryType = record<Trajectory>({
  schemaVersion: defaulted("schema_version", word(TRAJECTORY_SCHEMA), () => TRAJECTORY_SCHEMA),
  trajectoryId: required("trajectory_id", identifier),
  sourceAdapter: defaulted("source_adapter", text, () => "standard_jsonl"),
  createdAt: optional("created_at", text),
  runId: optional("run_id", identifier),
  metadata: defaulted("metadata", jsonObject, () => ({})),
  finalScore: optional("final_score", finite),
  success: optional("success", truth),
  task: required("task", taskType),
  steps: defaulted("steps", list(stepType), () => []),
  status: optional("status", text),
  redaction: optional("redaction", redactionType),
});

/**
 * Reads one whole trajectory of schema `asv.v1` from its parsed JSON.
 *
 * Beyond the shape it checks that step ids and candidate ids are unique, that the target and every
 * id of a belief or score map is a candidate, that log scores lie within ±1e6 nats and beliefs sum to 1 ± 1e-6.
 * Values are not copied: states and maps are the objects of `json`.
 *
 * @param json the parsed line
 * @param place file and line, for the error
 * @throws {InvalidRecordError} `invalid_record` or `unknown_schema_version`
 */
export function decodeTrajectory(json: unknown, place: RecordPlace): Trajectory {
  checkSchemaVersion(json, place, TRAJECTORY_SCHEMA, TRAJECTORY_SCHEMA);
  const trajectory = decodeRecord(trajectoryType, json, place);
  completeTrajectory(trajectory);
  const fail = (path: string, problem: string): never => {
    throw new InvalidRecordError(place, path, problem);
  };
  const ids = checkTask(trajectory.task, "task", fail);
  checkSteps(trajectory.steps, ids, (position) => `steps[${position}].`, fail);
  return trajectory;
}

/** Fills in what one field takes from another: the task's id and the steps' indexes. */
function completeTrajectory({ task, trajectoryId, steps }: Trajectory): void {
  if (task.taskId === "") task.taskId = trajectoryId;
  for (let i = 0; i < steps.length; i++) if (steps[i]!.index === NO_INDEX) steps[i]!.index = i;
}

/** The wire form of a trajectory, keys in a fixed order and `extra` keys last. Nothing is copied deeply. */
export function encodeTrajectory(trajectory: Trajectory): JsonObject {
  return trajectoryType.encode(trajectory);
}
