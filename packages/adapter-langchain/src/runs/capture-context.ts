import type { Recorder, Snapshot, TaskSource, TrajectoryCapture } from "@agent-step-value/sdk/capture";
import type { GraphShape } from "./graph-shape.ts";
import type { ThreadLinks } from "./thread-links.ts";

/** How parallel tasks become steps: one compound step, or one step a task. */
export type ParallelMode = "compound" | "split";

/** Everything the runs of one wrapped target share. */
export interface CaptureContext {
  readonly recorder: Recorder;
  readonly parallel: ParallelMode;
  /** False where graphs that run inside a captured run are part of its step and nothing more. */
  readonly nested: boolean;
  /** In place of the recorder's task; undefined where the recorder has it. */
  readonly task: TaskSource | undefined;
  /** What is known of the agent when it is wrapped, such as its system prompt. */
  readonly actor: Readonly<Record<string, string>> | undefined;
  readonly shape: GraphShape | undefined;
  readonly threads: ThreadLinks;
  /** A live state as it is now; undefined where nothing usable of it could be shown. */
  readonly snapshot: (trajectory: TrajectoryCapture, live: unknown) => Snapshot | undefined;
}
