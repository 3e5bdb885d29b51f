import {
  createRecorder,
  type Recorder,
  type Snapshot,
  type TrajectoryCapture,
} from "@agent-step-value/sdk/capture";
import { ChannelNames } from "../projection/channel-names.ts";
import { graphStateBlocks } from "../projection/graph-state-blocks.ts";
import type { CaptureContext } from "../runs/capture-context.ts";
import { graphShape } from "../runs/graph-shape.ts";
import { RunTracker } from "../runs/run-tracker.ts";
import { ThreadLinks } from "../runs/thread-links.ts";
import { actorConfig } from "./actor-config.ts";
import { askedTask } from "./asked-task.ts";
import { ASVCallbackHandler } from "./callback-handler.ts";
import { canShareRecorder, type ASVCaptureOptions } from "./capture-options.ts";

const SOURCE = "langchain";

/** Recorders that several targets use, by file name; one file is then opened once a process. */
const shared = new Map<string, Recorder>();

function sharedRecorder(file: string | false | undefined): Recorder {
  const key = JSON.stringify([file ?? globalThis.process?.env?.["ASV_FILE"] ?? null]);
  let recorder = shared.get(key);
  if (recorder === undefined) {
    recorder = createRecorder({ sourceAdapter: SOURCE, ...(file !== undefined && { file }) });
    shared.set(key, recorder);
  }
  return recorder;
}

/** Blocks of what a user's `project` picked; what is no state is passed on for the recorder to refuse. */
function pickedBlocks(picked: unknown, names: ChannelNames): unknown {
  if (typeof picked !== "object" || picked === null || "then" in picked) return picked;
  const { blocks } = picked as { blocks?: unknown };
  return Array.isArray(blocks) ? picked : graphStateBlocks(picked, names);
}

function recorderOf(options: ASVCaptureOptions, names: ChannelNames): Recorder {
  if (options.recorder !== undefined) return options.recorder;
  if (canShareRecorder(options)) return sharedRecorder(options.file);
  const { recorder: _, task: __, parallel: ___, subgraphs: ____, stateSource: _____, ...own } = options;
  const project = options.project ?? options.policy?.project;
  return createRecorder({
    ...own,
    sourceAdapter: SOURCE,
    ...(project !== undefined && { project: (live) => pickedBlocks(project(live), names) }),
  });
}

type TakeSnapshot = (trajectory: TrajectoryCapture, live: unknown) => Snapshot | undefined;

function snapshotTaker(options: ASVCaptureOptions, names: ChannelNames): TakeSnapshot {
  const project = options.project ?? options.policy?.project;
  const byRecorder = options.recorder === undefined && project !== undefined;
  return (trajectory, live) => {
    if (!trajectory.recording) return undefined;
    if (byRecorder) return trajectory.snapshot(live);
    if (project === undefined) return trajectory.snapshot(graphStateBlocks(live, names));
    try {
      return trajectory.snapshot(pickedBlocks(project(live), names));
    } catch {
      // The host's own recorder has no way to be told; the step stands without this state.
      return undefined;
    }
  };
}

function reporter(onError: ASVCaptureOptions["onError"]): (error: unknown) => void {
  let told = false;
  return (error) => {
    const message = `asv capture: a run could not be followed (${error instanceof Error ? error.name : typeof error}).`;
    try {
      if (onError !== undefined) onError(new Error(message));
      else if (!told) console.warn(message);
    } catch {
      // The handler is the last resort; there is nobody left to tell.
    }
    told = true;
  };
}

/** What a capture of a target's runs stands on: recorder, projection, what is known of the target. */
export function captureContext(
  options: ASVCaptureOptions,
  target: unknown,
): { capture: CaptureContext; onError: (error: unknown) => void } {
  const names = new ChannelNames(options.policy);
  const capture: CaptureContext = {
    recorder: recorderOf(options, names),
    parallel: options.parallel ?? "compound",
    nested: options.subgraphs !== "step",
    task: options.task ?? (options.recorder === undefined ? askedTask : undefined),
    actor: actorConfig(target),
    shape: graphShape(target),
    threads: new ThreadLinks(),
    snapshot: snapshotTaker(options, names),
  };
  return { capture, onError: reporter(options.onError) };
}

/** The handler of a target's runs, with what else needs them. */
export function captureHandler(
  options: ASVCaptureOptions,
  target: unknown,
): { handler: ASVCallbackHandler; tracker: RunTracker } {
  const { capture, onError } = captureContext(options, target);
  const { maxOpenMs = 600_000, maxOpenTrajectories = 1024 } = options;
  const tracker = new RunTracker(capture, maxOpenMs, maxOpenTrajectories);
  return { handler: new ASVCallbackHandler(capture.recorder, tracker, onError), tracker };
}

/**
 * The handler that captures a target's runs, to be passed by hand as `{ callbacks: [handler] }` where
 * a target cannot be wrapped. {@link withASVCapture} makes and attaches one.
 *
 * @param target the agent, graph or Runnable, where it is known: it tells which nodes read the whole
 *   state, and an agent's system prompt
 * @throws InvalidArgumentError for options that cannot be used
 */
export function asvCallbackHandler(options: ASVCaptureOptions = {}, target?: unknown): ASVCallbackHandler {
  return captureHandler(options, target).handler;
}
