import { context } from "@opentelemetry/api";
import { watchedResult } from "../results/watched-result.ts";
import { AgentRun } from "../runs/agent-run.ts";
import { forbidsRecording, type CallSettings } from "../runs/call-settings.ts";
import type { CaptureContext } from "../runs/capture-context.ts";
import { currentRun } from "../runs/current-run.ts";
import { followedCall } from "../runs/followed-call.ts";
import { statusOfError } from "../runs/run-end.ts";
import { isFollowed } from "../hooks/follower.ts";

export function isSettings(value: unknown): value is CallSettings {
  return typeof value === "object" && value !== null;
}

/** A run of a call that is made now; undefined where it is not to be captured. */
export function newRun(capture: CaptureContext, operation: string, input: unknown): AgentRun | undefined {
  const around = currentRun();
  if (around !== undefined && !capture.nested) return undefined;
  const signal = isSettings(input) ? input["abortSignal"] : undefined;
  return new AgentRun(capture, { operation, input, around, signal, context: context.active() });
}

const FORBIDDEN =
  "a call was not captured: its telemetry settings forbid it (isEnabled, recordInputs or recordOutputs is false)";

/** True where a call may be captured and nobody else does; says once what forbids it. */
export function mayCapture(capture: CaptureContext, settings: CallSettings): boolean {
  if (isFollowed(settings)) return false;
  const forbidden = forbidsRecording(settings);
  if (forbidden) capture.onError(FORBIDDEN);
  return !forbidden;
}

/** Calls our own code before a call; undefined where it failed, so that the host's call is made as it is. */
export function attempted<T>(capture: CaptureContext, work: () => T | undefined): T | undefined {
  try {
    return work();
  } catch (error) {
    capture.onError("a call could not be captured", error);
    return undefined;
  }
}

function failed(run: AgentRun, error: unknown): void {
  run.attempt(() => run.end(statusOfError(error, run.signal), error));
}

/** Hands on what a call gives or throws in time, and notes how it ended. */
export async function awaited<T>(
  run: AgentRun,
  call: () => PromiseLike<T>,
  done: (value: T) => T,
): Promise<T> {
  let value: T;
  try {
    value = await followedCall(call);
  } catch (error) {
    failed(run, error);
    throw error;
  }
  return done(value);
}

/** Makes a call that streams, at once or in time. What it gives is watched; a throw ends the run. */
export function streamed(run: AgentRun, call: () => unknown): unknown {
  const watched = (result: unknown) => (isSettings(result) ? watchedResult(result, run) : result);
  let result: unknown;
  try {
    result = followedCall(call);
  } catch (error) {
    failed(run, error);
    throw error;
  }
  const isPromise = isSettings(result) && typeof result["then"] === "function";
  return isPromise ? awaited(run, () => result as PromiseLike<unknown>, watched) : watched(result);
}

/** Makes a call that is awaited; the run is complete when it gives its result. */
export function completed(run: AgentRun, call: () => unknown): unknown {
  return awaited(
    run,
    async () => call(),
    (value) => {
      run.attempt(() => run.settle());
      return value;
    },
  );
}
