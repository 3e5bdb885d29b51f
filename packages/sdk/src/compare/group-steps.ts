import type { DiagnosedStep } from "../diagnose/index.ts";
import { AsvError, InvalidArgumentError, showValue } from "../errors/index.ts";

/** Steps by trajectory, in order of appearance. A Map, since ids come from outside. */
export function byTrajectory(steps: Iterable<DiagnosedStep>): Map<string, DiagnosedStep[]> {
  const found = new Map<string, DiagnosedStep[]>();
  for (const step of steps) {
    const own = found.get(step.trajectoryId);
    if (own === undefined) found.set(step.trajectoryId, [step]);
    else own.push(step);
  }
  return found;
}

/** One trajectory's steps in one channel, each id once. */
export function byStepId(
  steps: readonly DiagnosedStep[],
  trajectoryId: string,
  channel: string,
): Map<string, DiagnosedStep> {
  const found = new Map<string, DiagnosedStep>();
  for (const step of steps) {
    if (step.trajectoryId !== trajectoryId) {
      throw new InvalidArgumentError(
        channel,
        `steps of trajectory ${showValue(trajectoryId)} alone`,
        step.trajectoryId,
      );
    }
    if (found.has(step.stepId)) {
      throw new AsvError(
        "conflicting_records",
        `Channel ${channel} has step ${showValue(step.stepId)} of trajectory ${showValue(trajectoryId)} twice. ` +
          "Give each channel the steps of one protocol and one run.",
        { channel, trajectoryId, stepId: step.stepId },
      );
    }
    found.set(step.stepId, step);
  }
  return found;
}
