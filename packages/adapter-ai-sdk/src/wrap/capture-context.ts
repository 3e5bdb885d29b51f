import { createRecorder, type Recorder } from "@agent-step-value/sdk/capture";
import { ApprovalLinks } from "../runs/approval-links.ts";
import { askedTask } from "../runs/call-settings.ts";
import type { CaptureContext } from "../runs/capture-context.ts";
import { OpenRuns } from "../runs/open-runs.ts";
import { pickedBlocks, StateReader } from "../runs/state-reader.ts";
import { canShareRecorder, type ASVCaptureOptions } from "./capture-options.ts";

const SOURCE = "ai-sdk";

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

function recorderOf(options: ASVCaptureOptions): Recorder {
  if (options.recorder !== undefined) return options.recorder;
  if (canShareRecorder(options)) return sharedRecorder(options.file);
  const { recorder: _, task: __, nested: ___, steps: ____, ...own } = options;
  const project = options.project ?? options.policy?.project;
  return createRecorder({
    ...own,
    sourceAdapter: SOURCE,
    ...(project !== undefined && { project: (live) => pickedBlocks(project(live)) }),
  });
}

function reporter(onError: ASVCaptureOptions["onError"]): CaptureContext["onError"] {
  const told = new Set<string>();
  return (problem, error) => {
    const cause = error === undefined ? "" : ` (${error instanceof Error ? error.name : typeof error})`;
    const message = `asv capture: ${problem}${cause}.`;
    try {
      if (onError !== undefined) onError(new Error(message));
      else if (!told.has(problem)) console.warn(message);
    } catch {
      // The handler is the last resort; there is nobody left to tell.
    }
    told.add(problem);
  };
}

/**
 * What a capture stands on: recorder, projection, runs under way.
 *
 * @throws InvalidArgumentError for options that cannot be used
 */
export function captureContext(options: ASVCaptureOptions): CaptureContext {
  const project = options.project ?? options.policy?.project;
  const { maxOpenMs = 600_000, maxOpenTrajectories = 1024 } = options;
  return {
    recorder: recorderOf(options),
    task: options.task ?? (options.recorder === undefined ? askedTask : undefined),
    nested: options.nested !== "step",
    splits: options.steps === "split",
    states: new StateReader(project, options.recorder === undefined && project !== undefined),
    open: new OpenRuns(maxOpenMs, maxOpenTrajectories),
    approvals: new ApprovalLinks(),
    onError: reporter(options.onError),
  };
}
