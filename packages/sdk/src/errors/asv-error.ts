/**
 * Every failure the toolkit reports on purpose, by stable code.
 *
 * | code | what happened |
 * | --- | --- |
 * | `invalid_argument` | a function or command was called with a value it cannot use |
 * | `invalid_record` | a line of a file is not a valid record |
 * | `unknown_schema_version` | a record names a schema version this release does not know |
 * | `damaged` | stored digests do not match what is stored, or a record is missing |
 * | `conflicting_records` | two records claim the same id with different content |
 * | `unreadable_source` | a file, directory or stream cannot be read or written |
 * | `unknown_format` | an importer or preset of that name does not exist |
 * | `incompatible_evaluator` | protocol and evaluator do not belong together |
 * | `unfrozen_candidates` | a candidate set was not frozen after review |
 * | `budget_reached` | a call, token or money limit stopped the work |
 * | `interrupted` | the caller's abort signal stopped the work |
 * | `evaluator_failed` | an evaluator could not answer |
 * | `too_few_trajectories` | a statistic was asked of fewer trajectories than it needs |
 */
export type AsvErrorCode =
  | "invalid_argument"
  | "invalid_record"
  | "unknown_schema_version"
  | "damaged"
  | "conflicting_records"
  | "unreadable_source"
  | "unknown_format"
  | "incompatible_evaluator"
  | "unfrozen_candidates"
  | "budget_reached"
  | "interrupted"
  | "evaluator_failed"
  | "too_few_trajectories";

const marker = Symbol.for("agent-step-value.error");

/** Structured facts of an error: where it happened and the offending value, shortened for print. */
export type AsvErrorFields = Readonly<Record<string, string | number | boolean | undefined>>;

/**
 * Base of every error thrown by the toolkit.
 *
 * The message says what happened, where, and what to do. `code` is stable, `fields` are for
 * programs. Recognise one with {@link AsvError.isInstance}: it also holds for an error that a
 * second installed copy of the package threw, which `instanceof` does not.
 */
export class AsvError extends Error {
  readonly code: AsvErrorCode;
  readonly fields: AsvErrorFields;

  constructor(code: AsvErrorCode, message: string, fields: AsvErrorFields = {}, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "AsvError";
    this.code = code;
    this.fields = fields;
    Object.defineProperty(this, marker, { value: true });
  }

  /** True for any error of the toolkit, from this copy of the package or another. */
  static isInstance(error: unknown): error is AsvError {
    return typeof error === "object" && error !== null && Reflect.get(error, marker) === true;
  }
}
