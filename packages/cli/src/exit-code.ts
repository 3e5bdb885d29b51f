import { AsvError, type AsvErrorCode } from "@agent-step-value/sdk";

/** What the process tells its caller. */
export const EXIT = {
  done: 0,
  usage: 1,
  badInput: 2,
  gateFailed: 3,
  partial: 4,
  budgetReached: 5,
  interrupted: 130,
} as const;

/** A command's own word on how it ended, where it did not fail. */
export interface Outcome {
  exitCode: number;
}

const byCode: Readonly<Record<AsvErrorCode, number>> = {
  invalid_argument: EXIT.usage,
  unknown_format: EXIT.usage,
  incompatible_evaluator: EXIT.usage,
  unfrozen_candidates: EXIT.badInput,
  invalid_record: EXIT.badInput,
  unknown_schema_version: EXIT.badInput,
  unreadable_source: EXIT.badInput,
  damaged: EXIT.badInput,
  conflicting_records: EXIT.badInput,
  too_few_trajectories: EXIT.badInput,
  evaluator_failed: EXIT.partial,
  budget_reached: EXIT.budgetReached,
  interrupted: EXIT.interrupted,
};

/** Exit code of an error; anything that is not the toolkit's own is a usage-level failure. */
export function exitCodeOf(error: unknown): number {
  if (!AsvError.isInstance(error)) return EXIT.usage;
  return byCode[error.code] ?? EXIT.usage; // another version of the SDK may know more codes
}
