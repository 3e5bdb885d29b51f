import type { TrajectoryCapture } from "@agent-step-value/sdk/capture";
import type { CaptureContext } from "./capture-context.ts";
import type { RunStart, Surroundings } from "./run-event.ts";
import { isResume } from "./thread-links.ts";

/** A trajectory that opened, or goes on. */
export interface OpenedTrajectory {
  readonly trajectory: TrajectoryCapture;
  readonly resumed: boolean;
  /** Where its thread is remembered; undefined for a run without a checkpointer's thread. */
  readonly thread: string | undefined;
}

/** Task ids in a namespace of LangGraph change from run to run; node names do not. */
function namespaceOf(start: RunStart): string {
  const namespace = start.metadata["langgraph_checkpoint_ns"];
  if (typeof namespace !== "string") return "";
  return namespace
    .split("|")
    .map((part) => part.split(":", 1)[0])
    .join("|");
}

function threadOf(start: RunStart): string | undefined {
  const thread = start.metadata["thread_id"];
  if (typeof thread !== "string" && typeof thread !== "number") return undefined;
  return JSON.stringify([String(thread), namespaceOf(start)]);
}

/**
 * Opens the trajectory of a run, at the moment the run starts: the active OpenTelemetry context is
 * still the caller's. A run that resumes its thread goes on with the thread's last trajectory.
 */
export function openTrajectory(
  context: CaptureContext,
  start: RunStart,
  around: Surroundings | undefined,
): OpenedTrajectory {
  const thread = threadOf(start);
  const link = thread === undefined ? undefined : context.threads.get(thread);
  const goesOn = around === undefined ? isResume(start.inputs) : around.resumed;
  const resumed = goesOn && link?.interrupted === true;
  const trajectory = context.recorder.trajectory({
    input: start.inputs,
    runId: start.id,
    metadata: {
      runnable: start.name,
      ...(context.actor !== undefined && around === undefined && { actor: { ...context.actor } }),
      ...(around !== undefined && { parent_node: around.node }),
      ...(goesOn && link !== undefined && !resumed && { resumes: link.trajectoryId }),
    },
    ...(context.task !== undefined && { task: context.task }),
    ...(around !== undefined && { parentTrajectoryId: around.trajectoryId }),
    ...(around?.parentContext !== undefined && { parentContext: around.parentContext }),
    ...(resumed && { id: link.trajectoryId }),
  });
  return { trajectory, resumed, thread };
}
