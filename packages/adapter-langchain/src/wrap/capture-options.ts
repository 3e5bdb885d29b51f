import type { Recorder, RecorderOptions, TaskSource } from "@agent-step-value/sdk/capture";
import type { ParallelMode } from "../runs/capture-context.ts";

/** Options of {@link withASVCapture}. `{}` works. */
export interface ASVCaptureOptions extends Omit<RecorderOptions, "sourceAdapter"> {
  /**
   * A recorder of the host's own, which several targets may share. The options of a recorder that
   * stand beside it (`sinks`, `file`, `tracerProvider`, `policy`, `states`, `onError`, `metadata`) are
   * then not used.
   */
  recorder?: Recorder;
  /**
   * The task of every run, or what makes it from a run's input. Default: the last thing the user said
   * in the input is the question, and there are no candidates.
   */
  task?: TaskSource;
  /** Picks from the live state of graph or Runnable what may be seen. Default: all of it, as blocks. */
  project?: (state: any) => unknown;
  /**
   * `compound` (default): tasks that run at one time on one state are one step, so that the states of
   * a trajectory chain exactly. `split`: one step a task; they share their before- and after-state.
   */
  parallel?: ParallelMode;
  /**
   * `trajectory` (default): a graph that runs inside a captured run is a trajectory of its own with
   * `parent_trajectory_id`. `step`: it is only part of the step it runs in.
   */
  subgraphs?: "trajectory" | "step";
  /**
   * `callbacks` (default), or `values-tap`: for compiled graphs whose nodes do not show the whole
   * state (custom `Send` payloads, narrow input schemas), listen to LangGraph's own `values` stream
   * through an internal setting of it. Tried once when wrapping; where it does not work, callbacks are
   * used.
   */
  stateSource?: "callbacks" | "values-tap";
}

/** Options that make a recorder other than the one all targets share. */
const OWN_RECORDER = [
  "sinks",
  "tracerProvider",
  "policy",
  "project",
  "states",
  "onError",
  "maxOpenMs",
  "maxOpenTrajectories",
  "metadata",
] as const satisfies readonly (keyof ASVCaptureOptions)[];

/** True when a recorder that other targets use too will do. */
export function canShareRecorder(options: ASVCaptureOptions): boolean {
  return OWN_RECORDER.every((name) => options[name] === undefined);
}
