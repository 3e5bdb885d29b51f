import { AsvError } from "../errors/index.ts";

const LIMIT = 200;

/** Why a state has no score, for the record: a stable code, then the evaluator's own words, cut. */
export function failureReason(error: unknown): string {
  const message = error instanceof Error ? error.message : "the evaluator threw something that is no error";
  const short = message.length > LIMIT ? `${message.slice(0, LIMIT)}…` : message;
  if (!AsvError.isInstance(error)) return `evaluator_failed: ${short}`;
  const flag = error.fields["flag"];
  return `${typeof flag === "string" ? flag : error.code}: ${short}`;
}

/** True for a failure that every later call would share, so that going on is pointless. */
export function isFatal(error: unknown): boolean {
  if (!AsvError.isInstance(error)) return false;
  return error.fields["fatal"] === true || error.code !== "evaluator_failed";
}
