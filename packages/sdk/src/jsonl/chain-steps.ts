import { InvalidRecordError, showValue, type RecordPlace } from "../errors/index.ts";
import { stateSha256, type State, type Step, type StepRecord } from "../schema/index.ts";
import { fastSha256 } from "./fast-sha256.ts";
import type { Placed } from "./placed.ts";
import { TWO_RUNS } from "./two-runs.ts";

/**
 * Joins live steps into a chain: a step that gives only the digest of its before-state takes the
 * after-state of the step before it, the same object and not a copy. A step that gives neither does not
 * know its before-state, and none is guessed. Every stored digest is checked against its state.
 *
 * @param placed in order of their index
 * @throws {InvalidRecordError} `damaged` where a digest does not match, `conflicting_records` where
 *   two steps have the same index
 */
export function chainSteps(placed: readonly Placed<StepRecord>[]): Step[] {
  const steps: Step[] = [];
  let previous: Step | undefined;
  for (const { record, place } of placed) {
    const step = { ...record.step };
    if (step.index === previous?.index) {
      const problem = `is ${step.index}, as is that of step ${showValue(previous.stepId)}. ${TWO_RUNS}`;
      throw new InvalidRecordError(place, "index", problem, { code: "conflicting_records" });
    }
    let before = "the before-state of this record";
    const chained = step.stateBefore === undefined && record.beforeSha256 !== undefined;
    if (chained && previous?.stateAfter !== undefined) {
      step.stateBefore = previous.stateAfter;
      before = "the after-state of the step before it";
    }
    verify(step.stateBefore, record.beforeSha256, place, "before_sha256", before);
    verify(step.stateAfter, record.afterSha256, place, "after_sha256", "the after-state of this record");
    steps.push(step);
    previous = step;
  }
  return steps;
}

function verify(
  state: State | undefined,
  stored: string | undefined,
  place: RecordPlace,
  field: string,
  what: string,
): void {
  if (state === undefined || stored === undefined || stateSha256(state, fastSha256) === stored) return;
  const problem = `does not match ${what}. A record is missing, or a state was changed after it was written.`;
  throw new InvalidRecordError(place, field, problem, { code: "damaged" });
}
