import type { Clock } from "./clock.ts";
import { timeOr } from "./clock.ts";
import { chainOf, type BegunStep } from "./live-step.ts";
import type { Mutable } from "./mutable.ts";
import type { Redactor } from "./redactor.ts";
import type { StepEnd } from "./sink.ts";
import type { Snapshot } from "./snapshot.ts";
import { stepAction, stepCost, stepError, stepObservation, stepStatus, word } from "./step-fields.ts";
import type { StepEndOptions } from "./trajectory-capture.ts";

interface EndContext {
  readonly after: Snapshot | undefined;
  readonly commitIndex: number;
  /** True where the trajectory has closed meanwhile. */
  readonly late: boolean;
  readonly redactor: Redactor;
  readonly clock: Clock;
}

/** Everything that is known of a step when it has ended, redacted. Reads the caller's options once. */
export function finishStep(begun: BegunStep, options: StepEndOptions, context: EndContext): StepEnd {
  const { start } = begun;
  const { after, redactor } = context;
  const endTime = Math.max(start.startTime, timeOr(options.endTime, context.clock));
  const error = stepError(options.error, redactor);
  const more = options.action;
  const action =
    more === undefined
      ? start.action
      : { ...start.action, ...stepAction({ type: start.action.type, ...more }, redactor) };
  const observation = stepObservation(options.observation, redactor);
  const chain = chainOf(start.before, begun.previous);
  const fidelity = word(options.fidelity);
  const attempts = options.attempts;
  const end: Mutable<StepEnd> = {
    trajectoryId: start.trajectoryId,
    stepId: start.stepId,
    index: start.index,
    action,
    late: start.late || context.late,
    concurrent: begun.concurrent,
    startTime: start.startTime,
    commitIndex: context.commitIndex,
    chained: chain.chained,
    discontinuity: chain.discontinuity,
    status: stepStatus(options.status, error !== undefined),
    observation,
    cost: stepCost(options.cost, endTime - start.startTime),
    damaged: begun.damaged,
    endTime,
    redaction: redactor.takeSummary(begun.hits, chain.chained ? undefined : start.before?.hits, after?.hits),
  };
  if (start.kind !== undefined) end.kind = start.kind;
  if (start.before !== undefined) end.before = start.before;
  if (start.parentContext !== undefined) end.parentContext = start.parentContext;
  if (after !== undefined) end.after = after;
  if (error !== undefined) end.error = error;
  if (fidelity !== undefined) end.fidelity = fidelity;
  if (typeof attempts === "number" && Number.isSafeInteger(attempts)) end.attempts = attempts;
  return end;
}
