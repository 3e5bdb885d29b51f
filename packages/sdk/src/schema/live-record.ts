import type { JsonObject } from "./json.ts";
import type { RedactionSummary, Step, Task } from "./trajectory.ts";

/** First line of a live trajectory: everything known before its first step. */
export interface OpenRecord {
  record: "open";
  trajectoryId: string;
  sourceAdapter: string;
  createdAt?: string;
  runId?: string;
  metadata: JsonObject;
  task: Task;
  extra?: JsonObject;
}

/**
 * One finished step. On its line the step's fields stand beside `trajectory_id` and the digests. The
 * before-state is present only where it is not the previous after-state of the trajectory; its
 * digest is always there.
 */
export interface StepRecord {
  record: "step";
  trajectoryId: string;
  step: Step;
  beforeSha256?: string;
  afterSha256?: string;
  redaction?: RedactionSummary;
}

/** Last line of a live trajectory. */
export interface CloseRecord {
  record: "close";
  trajectoryId: string;
  status: string;
  finalScore?: number;
  success?: boolean;
  extra?: JsonObject;
}

export type LiveRecord = OpenRecord | StepRecord | CloseRecord;
