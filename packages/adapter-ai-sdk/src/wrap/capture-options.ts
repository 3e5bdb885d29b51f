import type { Recorder, RecorderOptions, TaskSource } from "@agent-step-value/sdk/capture";

/** Options of {@link withASVCapture}. `{}` works. */
export interface ASVCaptureOptions extends Omit<RecorderOptions, "sourceAdapter"> {
  /**
   * A recorder of the host's own, which several targets may share. The options of a recorder that
   * stand beside it (`sinks`, `file`, `tracerProvider`, `policy`, `states`, `onError`, `metadata`) are
   * then not used.
   */
  recorder?: Recorder;
  /**
   * The task of every call, or what makes it from what the call was given: its `prompt` or `messages`, and
   * everything else in its settings. Default: the last thing the user said is the question, and there are
   * no candidates.
   */
  task?: TaskSource;
  /** Picks from a live state, `{ messages }`, what may be seen. Default: all messages, as blocks. */
  project?: (state: any) => unknown;
  /**
   * `trajectory` (default): a captured call that is made inside a tool is a trajectory of its own with
   * `parent_trajectory_id`. `step`: it is only part of the step it is made in.
   */
  nested?: "trajectory" | "step";
  /**
   * `joined` (default): a step of the SDK is one step, a model call and the tools it called. `split`: the
   * tools that one model call asked for are a step of their own, as captured LangChain agents and imported
   * spans have them.
   */
  steps?: "joined" | "split";
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
