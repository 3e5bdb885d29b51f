import type { RecordPlace } from "../../errors/index.ts";
import type { JsonObject } from "../json.ts";
import {
  STEP_METRICS_SCHEMA,
  type OpenInterval,
  type StepDiagnostics,
  type StepMetrics,
} from "../step-metrics.ts";
import { checkSchemaVersion, decodeRecord } from "./decode-record.ts";
import { optional, record, required, type WireType } from "./wire-type.ts";
import { count, finite, identifier, numbersByName, qualityFlags, text, truth } from "./wire-values.ts";

/** Both forms are the same: `low` and `high`. */
const openInterval: WireType<OpenInterval> = { schema: numbersByName.schema };

const diagnosticsType = record<StepDiagnostics>({
  beliefBefore: required("belief_before", numbersByName),
  beliefAfter: required("belief_after", numbersByName),
  entropyBefore: required("entropy_before", finite),
  entropyAfter: required("entropy_after", finite),
  entropyMovement: required("entropy_movement", finite),
  surprise: required("surprise", finite),
  marginBefore: optional("margin_before", finite),
  marginAfter: optional("margin_after", finite),
  marginGain: optional("margin_gain", finite),
  damage: optional("damage", truth),
  repair: optional("repair", truth),
  layoutSpread: optional("layout_spread", finite),
  floorInterval: optional("floor_interval", openInterval),
  flags: required("flags", qualityFlags),
});

const stepMetricsType = record<StepMetrics>(
  {
    trajectoryId: required("trajectory_id", identifier),
    stepId: required("step_id", identifier),
    index: required("index", count),
    action: required("action", text),
    protocolId: required("protocol_id", identifier),
    evaluatorKind: required("evaluator_kind", text),
    diagnostics: optional("diagnostics", diagnosticsType),
    flags: required("flags", qualityFlags),
    label: optional("label", text),
  },
  { schema_version: STEP_METRICS_SCHEMA, record: "step_metrics" },
);

/**
 * Reads one line of `steps.jsonl`.
 *
 * @throws {InvalidRecordError} `invalid_record` or `unknown_schema_version`
 */
export function decodeStepMetrics(json: unknown, place: RecordPlace): StepMetrics {
  checkSchemaVersion(json, place, STEP_METRICS_SCHEMA);
  return decodeRecord(stepMetricsType, json, place);
}

/** The wire form of a line of `steps.jsonl`, keys in a fixed order, numbers unrounded. */
export function encodeStepMetrics(metrics: StepMetrics): JsonObject {
  return stepMetricsType.encode(metrics);
}
