import type { Recorder, TaskSource } from "@agent-step-value/sdk/capture";
import type { ApprovalLinks } from "./approval-links.ts";
import type { OpenRuns } from "./open-runs.ts";
import type { StateReader } from "./state-reader.ts";

/** What the capture of a target's runs stands on. */
export interface CaptureContext {
  readonly recorder: Recorder;
  readonly task: TaskSource | undefined;
  /** False where captured calls inside a tool are only part of the step they run in. */
  readonly nested: boolean;
  /** True where the tools of a model call are a step of their own. */
  readonly splits: boolean;
  readonly states: StateReader;
  readonly open: OpenRuns;
  readonly approvals: ApprovalLinks;
  /** Gets what goes wrong in capture itself; never throws. */
  readonly onError: (problem: string, error?: unknown) => void;
}
