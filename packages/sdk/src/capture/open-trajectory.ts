import type { Context } from "@opentelemetry/api";
import type { OpenRecord } from "../schema/index.ts";
import { startClock, type Clock } from "./clock.ts";
import type { ErrorDesk } from "./error-desk.ts";
import {
  LiveTrajectory,
  type LiveTrajectoryParts,
  type Progress,
  type TrajectoryKeeper,
} from "./live-trajectory.ts";
import type { RecorderConfig } from "./recorder-options.ts";
import type { Mutable } from "./mutable.ts";
import { OpenSink } from "./open-sink.ts";
import { Redactor } from "./redactor.ts";
import type { OpenEvent, Sink } from "./sink.ts";
import { activeContext } from "./span-sink.ts";
import { captureTask, type CaptureTask, type TaskSource } from "./task-source.ts";
import type { TrajectoryOptions } from "./trajectory-capture.ts";
import { usableId } from "./trajectory-id.ts";

const METADATA_LIMIT = 4000;

interface OpeningContext {
  readonly config: RecorderConfig;
  readonly keeper: TrajectoryKeeper;
  /** What the trajectory was before an interrupt. */
  readonly earlier: LiveTrajectoryParts | undefined;
  /** Context of the parent trajectory, where it is open. */
  readonly parent: Context | undefined;
}

/**
 * Opens a trajectory in every sink.
 *
 * @returns `skipped` where no sink wants it, `lost` where those that should take it cannot
 */
export function openTrajectory(
  id: string,
  options: TrajectoryOptions,
  { config, keeper, earlier, parent }: OpeningContext,
): LiveTrajectory | "skipped" | "lost" {
  const { desk } = keeper;
  const redactor = earlier?.redactor ?? new Redactor(config.policies);
  const clock = startClock();
  const progress = earlier?.progress ?? startOf(options);
  const record = earlier?.record ?? openRecord(id, options, config, redactor, clock, desk);
  const event: Mutable<OpenEvent> = {
    record,
    resumed: earlier !== undefined || progress.nextIndex > 0,
    startTime: clock(),
    parentContext: options.parentContext ?? activeContext(),
    redaction: redactor.takeSummary(),
    statesKept: config.sinks.some((sink) => sink.keepsStates === true),
  };
  if (options.parentTrajectoryId !== undefined) event.parentTrajectoryId = options.parentTrajectoryId;
  if (parent !== undefined) event.parentTrajectoryContext = parent;
  if (Object.keys(event.redaction.hits).length > 0) {
    record.extra = { ...record.extra, redaction: { ...event.redaction } };
  }
  const { taken, lossy } = openInSinks(event, config.sinks, desk);
  if (taken.length > 0) {
    return new LiveTrajectory({ record, redactor, progress, clock, keeper, sinks: taken, lossy });
  }
  if (lossy) return "lost";
  // A provider that did not sample the run was asked for it; where there is none, nobody was.
  if (config.sinks.every(({ state }) => state === "inactive")) {
    const how = "Name a file with `file` or ASV_FILE, or register a tracer provider.";
    desk.reportOnce("no_sink", `nothing is captured: there is no file and no tracer provider. ${how}`);
  }
  return "skipped";
}

function openInSinks(event: OpenEvent, sinks: readonly Sink[], desk: ErrorDesk) {
  const taken: OpenSink[] = [];
  let lossy = false;
  for (const sink of sinks) {
    const open = desk.attempt("sink_failed", `sink "${sink.name}"`, () =>
      sink.open(event, (problem, message) => desk.report(problem, message)),
    )?.value;
    if (open === undefined || open === "lost") lossy = true;
    else if (open !== "skipped") taken.push(new OpenSink(sink, open, desk));
  }
  return { taken, lossy };
}

function startOf({ startIndex, previousAfterSha256 }: TrajectoryOptions): Progress {
  const start = Number.isSafeInteger(startIndex) && startIndex! > 0 ? startIndex! : 0;
  const known = typeof previousAfterSha256 === "string" && /^[0-9a-f]{64}$/.test(previousAfterSha256);
  return {
    nextIndex: start,
    commits: start,
    redactions: 0,
    newest: start > 0 ? { ended: true, ...(known && { afterSha256: previousAfterSha256 }) } : undefined,
    last: undefined,
  };
}

function openRecord(
  id: string,
  options: TrajectoryOptions,
  config: RecorderConfig,
  redactor: Redactor,
  clock: Clock,
  desk: ErrorDesk,
): OpenRecord {
  const runId = usableId(redactor.text(options.runId, 256));
  const parentId = usableId(options.parentTrajectoryId);
  const task = resolveTask(options.task ?? config.task, options.input, desk);
  const record: OpenRecord = {
    record: "open",
    trajectoryId: id,
    sourceAdapter: config.sourceAdapter,
    createdAt: new Date(clock()).toISOString(),
    metadata: redactor.object({ ...config.metadata, ...options.metadata }, METADATA_LIMIT),
    task: captureTask(task, id, redactor),
  };
  if (runId !== undefined) record.runId = runId;
  if (parentId !== undefined) record.extra = { parent_trajectory_id: parentId };
  return record;
}

function resolveTask(
  source: TaskSource | undefined,
  input: unknown,
  desk: ErrorDesk,
): CaptureTask | undefined {
  if (source === undefined) return undefined;
  if (typeof source !== "function") return usableTask(source, desk);
  const made = desk.attempt("task_failed", "task()", () => source(input))?.value;
  return made === undefined ? undefined : usableTask(made, desk);
}

function usableTask(task: unknown, desk: ErrorDesk): CaptureTask | undefined {
  try {
    if (typeof (task as CaptureTask).question === "string") return task as CaptureTask;
  } catch {
    // Said below.
  }
  const message = "task gave no object with a question; the run was captured without its task.";
  desk.report("task_failed", message);
  return undefined;
}
