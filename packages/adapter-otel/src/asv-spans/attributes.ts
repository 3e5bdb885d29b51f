/**
 * Names of the `asv.*` set, version 1. The live span sink of the SDK writes all but those marked
 * "whole"; these are added where a whole stored trajectory is turned into spans.
 */

/** Value of {@link TRAJECTORY}.schemaVersion. Attribute types are fixed for as long as it stands. */
export const ASV_SET_VERSION = 1;

/** Span names; the action of a step is in an attribute. */
export const TRAJECTORY_SPAN = "asv.trajectory";
export const STEP_SPAN = "asv.step";

/**
 * Event name of a log record that carries a state: `asv.state.carrier` of its steps is `log`. Body: the
 * state's canonical JSON as one string, so that its digest is over the very bytes. One record a distinct
 * state of a trajectory, with the attributes of {@link STATE_LOG}.
 */
export const STATE_EVENT = "asv.state";

/** Attributes of an `asv.trajectory` span. */
export const TRAJECTORY = {
  /** int */
  schemaVersion: "asv.schema.version",
  /** string; on every step and state record too */
  id: "asv.trajectory.id",
  parentId: "asv.trajectory.parent_id",
  status: "asv.trajectory.status",
  /** int */
  stepCount: "asv.trajectory.step_count",
  taskId: "asv.task.id",
  /** At most 4,096 UTF-16 units; the whole of a longer one is in {@link TRAJECTORY}.detail. */
  question: "asv.task.question",
  /** SHA-256 of the frozen candidate set. */
  candidatesDigest: "asv.candidates.digest",
  /** `policy/version` */
  redactionPolicy: "asv.redaction.policy",
  /** int */
  redactionCount: "asv.redaction.count",
  /** Whole: `source_adapter` as stored. */
  sourceAdapter: "asv.trajectory.source_adapter",
  /** Whole: `run_id` as stored. */
  runId: "asv.trajectory.run_id",
  /** Whole: `created_at` as stored. */
  createdAt: "asv.trajectory.created_at",
  /** Whole: `task.task_type` as stored. */
  taskType: "asv.task.type",
  /**
   * Whole: a JSON object as a string, with the wire names of a trajectory line and only those of its
   * fields that have no attribute: `metadata`, `task` (`question` where the attribute is cut, `domain`,
   * `difficulty`, unknown keys under `extra`), `redaction`, and unknown keys of the line under `extra`.
   * Where it is present, an attribute that is absent was absent from the line: a missing status is no
   * `complete`. Never gold, candidates, success, final score or labels.
   */
  detail: "asv.trajectory.detail",
} as const;

/** Attributes of an `asv.step` span, besides {@link TRAJECTORY}.id and those of {@link STATE}. */
export const STEP = {
  id: "asv.step.id",
  parentId: "asv.step.parent_id",
  /** int: taken at the start, the order of steps */
  index: "asv.step.index",
  /** int: taken at the end, the order in which after-states came to be */
  commitIndex: "asv.step.commit_index",
  /** bool */
  concurrent: "asv.step.concurrent",
  /** bool: began or ended after the trajectory had closed */
  late: "asv.step.late",
  /** `action.type` */
  action: "asv.step.action",
  /** llm, tool, retrieval, plan, message, other */
  kind: "asv.step.kind",
  /** ok, error, cancelled, interrupted */
  status: "asv.step.status",
  /** int */
  attempts: "asv.step.attempts",
  /**
   * Whole: a JSON object as a string, with the wire names of a step: `action`, `observation`, `cost`,
   * `quality_flags`, `discontinuity`, and the step's unknown keys under `extra`. Where it is present it
   * says all of these: a key it does not have was empty or absent, and `extra` is not to be filled from
   * the attributes `asv.step.kind`, `status`, `commit_index` and so on, which repeat parts of it.
   * `index` is there only where the stored indexes do not rise: then {@link STEP}.index is the step's
   * position, the order, and this the index to store.
   */
  detail: "asv.step.detail",
} as const;

/** Attributes of an `asv.step` span that say its states. */
export const STATE = {
  /** Canonical JSON text, where it rides on the span. */
  before: "asv.state.before",
  beforeSha256: "asv.state.before.sha256",
  /** int: UTF-16 units of the canonical JSON, the test for a cut value */
  beforeLength: "asv.state.before.length",
  after: "asv.state.after",
  afterSha256: "asv.state.after.sha256",
  afterLength: "asv.state.after.length",
  /** inline, log, local, none */
  carrier: "asv.state.carrier",
  /** How the after-state was come by, in the adapter's words. */
  fidelity: "asv.state.fidelity",
} as const;

/** Attributes of a state log record, besides {@link TRAJECTORY}.id. */
export const STATE_LOG = {
  sha256: "asv.state.sha256",
  /** int: UTF-16 units of the body */
  length: "asv.state.length",
} as const;
