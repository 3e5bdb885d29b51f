import { AsvError, type AsvErrorCode } from "@agent-step-value/sdk";

/**
 * What went wrong in the span processor. The host goes on in every case.
 *
 * | problem | what happened |
 * | --- | --- |
 * | `file_failed` | the file cannot be opened or written; the processor has stopped |
 * | `torn_line` | the file ended within a record; that piece was cut off before appending |
 * | `damaged_state` | a state text is not what its declared length and digest say; it was left out |
 * | `no_state_text` | a span gives only the digest of a state; the step is kept without it |
 * | `unusable_id` | a span has no usable trajectory id, or one that may be cut; its step was dropped |
 * | `index_reassigned` | a step had no index, or one that was taken; it got the next free one |
 * | `trajectory_repeated` | a trajectory id came again after its end; the second run is kept under `id.2` |
 * | `unknown_schema_version` | a trajectory span names a version of the `asv.*` set this release does not know |
 * | `steps_missing` | a trajectory span counts more steps than reached the processor |
 * | `evicted` | more trajectories were open than allowed; the one idle longest was closed |
 * | `after_shutdown` | a step ended after `shutdown()` and was dropped |
 * | `internal` | the processor itself failed; the span it happened in was dropped |
 */
export type SpanProcessorProblem =
  | "file_failed"
  | "torn_line"
  | "damaged_state"
  | "no_state_text"
  | "unusable_id"
  | "index_reassigned"
  | "trajectory_repeated"
  | "unknown_schema_version"
  | "steps_missing"
  | "evicted"
  | "after_shutdown"
  | "internal";

const CODES: Partial<Record<SpanProcessorProblem, AsvErrorCode>> = {
  file_failed: "unreadable_source",
  torn_line: "unreadable_source",
  damaged_state: "damaged",
  unknown_schema_version: "unknown_schema_version",
};

/** A problem of the span processor, handed to `onError`. It never carries a state or another's error text. */
export class SpanProcessorError extends AsvError {
  readonly problem: SpanProcessorProblem;

  constructor(problem: SpanProcessorProblem, message: string) {
    super(CODES[problem] ?? "invalid_argument", message, { problem });
    this.name = "SpanProcessorError";
    this.problem = problem;
  }
}
