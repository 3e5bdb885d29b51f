import { trace, type Context } from "@opentelemetry/api";
import type { JsonObject, TrajectoryCapture, TrajectoryOptions } from "@agent-step-value/sdk/capture";
import { actorOf, givenMessages, telemetryOf, type CallSettings } from "./call-settings.ts";
import type { CaptureContext } from "./capture-context.ts";
import type { SurroundingRun } from "./current-run.ts";

/** Where a run came from. */
export interface RunOrigin {
  /** Name of the function or method that was called. */
  readonly operation: string;
  /** What the host gave; handed to a task function and never recorded. */
  readonly input: unknown;
  /** The run in one of whose tools the call was made. */
  readonly around: SurroundingRun | undefined;
  /** The caller's abort signal. */
  readonly signal: unknown;
  /** OpenTelemetry context of the caller. */
  readonly context: Context;
}

interface OpenedTrajectory {
  readonly trajectory: TrajectoryCapture;
  readonly given: readonly unknown[];
  readonly system: string | undefined;
}

/** Without a context manager the caller's context says nothing of the run around. */
function parentContext({ around, context }: RunOrigin): Context {
  return trace.getSpan(context) === undefined ? (around?.toolContext ?? context) : context;
}

/** Opens the trajectory of a call. */
export function openTrajectory(
  capture: CaptureContext,
  origin: RunOrigin,
  settings: CallSettings,
): OpenedTrajectory {
  const given = givenMessages(settings) ?? [];
  const actor = actorOf(settings);
  const name = telemetryOf(settings)?.functionId ?? settings["id"];
  const resumes = capture.approvals.askedBy(given);
  const parentTrajectoryId = origin.around?.trajectoryId;
  const metadata: JsonObject = {
    runnable: typeof name === "string" && name !== "" ? name : origin.operation,
    operation: origin.operation,
  };
  if (actor["model"] !== undefined || actor["system_prompt"] !== undefined) metadata["actor"] = actor;
  if (resumes !== undefined) metadata["resumes"] = resumes;
  const options: TrajectoryOptions = { input: origin.input, metadata, parentContext: parentContext(origin) };
  if (capture.task !== undefined) options.task = capture.task;
  if (parentTrajectoryId !== undefined) options.parentTrajectoryId = parentTrajectoryId;
  return { trajectory: capture.recorder.trajectory(options), given, system: actor["system_prompt"] };
}
