import type { Context } from "@opentelemetry/api";
import type { JsonObject } from "../schema/index.ts";
import type { Snapshot } from "./snapshot.ts";
import type { StateWriter } from "./state-writer.ts";
import type { StepStatus } from "./sink.ts";
import type { TaskSource } from "./task-source.ts";

export interface TrajectoryOptions {
  /**
   * Unique to the run; default a new UUID. With the id of a trajectory that is still open, or that this
   * recorder closed as `interrupted`, that one goes on with its next index. An id whose trajectory has
   * ended otherwise gets `.2`, `.3`, ... behind it: readers refuse two runs of one id.
   */
  id?: string;
  /** In place of the recorder's. */
  task?: TaskSource;
  /** Given to a task function. It is not recorded. */
  input?: unknown;
  parentTrajectoryId?: string;
  /** Parent of the spans. Default: the context that is active now. */
  parentContext?: Context;
  runId?: string;
  /** Added to the recorder's; redacted. */
  metadata?: JsonObject;
  /**
   * First index of a trajectory that another process began; its records must be read together with
   * these. No open record is written when it is above 0.
   */
  startIndex?: number;
  /** SHA-256 of the after-state of the step before `startIndex`. */
  previousAfterSha256?: string;
}

export interface StepOptions {
  /** `type` is the step type that reports group by; arguments and the like beside it are redacted. */
  action: { readonly type: string; readonly [key: string]: unknown };
  /**
   * The live state, read now and not kept, or a snapshot of it. Left out: the after-state of the step
   * that ended last.
   */
  before?: unknown;
  /** llm, tool, retrieval, plan, message, other. */
  kind?: string;
  /** Parent of the step's span. Default: the trajectory's. */
  parentContext?: Context;
  /** Milliseconds since 1970. */
  startTime?: number | Date;
}

export interface StepEndOptions {
  /**
   * The live state, read now and not kept, or a snapshot, or `SAME_AS_BEFORE`. Left out: it is
   * not known, and the step cannot be scored.
   */
  after?: unknown;
  /** Default `ok`, or `error` when an error is given. */
  status?: StepStatus;
  /** Further fields of the action, such as arguments that are known only now. */
  action?: { readonly [key: string]: unknown };
  /** Finite numbers: prompt_tokens, completion_tokens, tool_calls, ... `latency_ms` is measured unless given. */
  cost?: { readonly [name: string]: unknown };
  /** What came back from the action; redacted. */
  observation?: unknown;
  /** Name and message are kept, redacted. */
  error?: unknown;
  /** How the after-state was come by, in the adapter's words. */
  fidelity?: string;
  /** How often the action was tried. */
  attempts?: number;
  /** Milliseconds since 1970. */
  endTime?: number | Date;
}

export interface CloseOptions {
  status: "complete" | "error" | "aborted" | "abandoned" | "interrupted";
  /** Outcome as the host knows it; kept for its owner, never shown to an evaluator. */
  success?: boolean;
  finalScore?: number;
}

/** A step under way. */
export interface StepCapture {
  readonly id: string;
  readonly index: number;
  /** OpenTelemetry context to run nested work in; undefined where no span is recorded. */
  readonly context: Context | undefined;
  /** Ends the step and writes it. A second call does nothing. */
  end(options?: StepEndOptions): void;
}

/** A trajectory under way. No method throws. */
export interface TrajectoryCapture {
  readonly id: string;
  /** False where nothing is recorded, so that a caller can spare the work of building states. */
  readonly recording: boolean;
  readonly context: Context | undefined;
  /** Begins a step. After the close it is still recorded, marked `late`. */
  step(options: StepOptions): StepCapture;
  /** Reads a live state once, to be given as the before- or after-state of several steps. */
  snapshot(state: unknown): Snapshot;
  /** Writes states that grow block by block, for an adapter that makes blocks of a host's state itself. */
  stateWriter(): StateWriter;
  /** Closes the trajectory. A second call does nothing. */
  close(options?: CloseOptions): void;
}
