import type { Context } from "@opentelemetry/api";
import type { JsonObject, OpenRecord, RedactionSummary } from "../schema/index.ts";
import type { CaptureProblem } from "./capture-error.ts";
import type { Snapshot } from "./snapshot.ts";

/**
 * Where captured trajectories go. Everything a sink is given has been projected and redacted.
 *
 * A sink may throw or reject: the recorder reports it and the host goes on. All calls are
 * synchronous and happen inside the host's own, so a sink must be quick.
 */
export interface Sink {
  readonly name: string;
  /** True where whole states are kept, so that a sink with a size limit may leave them out. */
  readonly keepsStates?: boolean;
  /** Said in the report, for example that no tracer provider is there. */
  readonly state?: "active" | "inactive" | "unsampled";
  /**
   * Opens a trajectory. `skipped`: this sink does not want it. `lost`: it should be recorded and
   * cannot be; its steps count as dropped.
   */
  open(trajectory: OpenEvent, report: ReportProblem): TrajectorySink | "skipped" | "lost";
  flush?(report: ReportProblem): void | Promise<void>;
  shutdown?(report: ReportProblem): void | Promise<void>;
}

/** Tells the recorder's error handler of a problem that is no exception. */
export type ReportProblem = (problem: CaptureProblem, message: string) => void;

/** One trajectory within a sink. */
export interface TrajectorySink {
  /** OpenTelemetry context to run nested work in. */
  readonly context?: Context;
  begin(step: StepStart): StepSink;
  /**
   * The run was interrupted and may go on: this opening ends, the trajectory does not. It goes on
   * with a new `open` whose `resumed` is true. A sink without it gets its `close` when the run is
   * known not to go on.
   */
  suspend?(end: CloseEvent): void;
  close(end: CloseEvent): void;
}

/** One step within a sink. */
export interface StepSink {
  readonly context?: Context;
  /** Gives false where the step is lost. */
  end(step: StepEnd): boolean | void;
}

/** A trajectory that opens, or goes on after an interrupt. */
export interface OpenEvent {
  readonly record: OpenRecord;
  /** True where the trajectory was opened before and only goes on. */
  readonly resumed: boolean;
  /** Milliseconds since 1970. */
  readonly startTime: number;
  readonly parentContext: Context;
  readonly parentTrajectoryId?: string;
  /** Context of the parent trajectory, where it is open in the same recorder. */
  readonly parentTrajectoryContext?: Context;
  readonly redaction: RedactionSummary;
  /** True where some sink of the recorder keeps whole states. */
  readonly statesKept: boolean;
}

/** What is known of a step when it begins. */
export interface StepStart {
  readonly trajectoryId: string;
  readonly stepId: string;
  /** Taken at the start: 0, 1, 2, ... without gaps. */
  readonly index: number;
  readonly action: JsonObject & { type: string };
  /** llm, tool, retrieval, plan, message, other. */
  readonly kind?: string;
  readonly before?: Snapshot;
  /** True where the trajectory had closed already. */
  readonly late: boolean;
  /** True where another step of the trajectory is under way. */
  readonly concurrent: boolean;
  readonly startTime: number;
  readonly parentContext?: Context;
}

export type StepStatus = "ok" | "error" | "cancelled" | "interrupted";

/** A finished step. */
export interface StepEnd extends StepStart {
  /** Taken at the end: the order in which after-states came to be. */
  readonly commitIndex: number;
  readonly after?: Snapshot;
  /** True where the before-state is the after-state of the step with the previous index, written already. */
  readonly chained: boolean;
  readonly discontinuity: boolean;
  readonly status: StepStatus;
  readonly observation: JsonObject;
  readonly cost: JsonObject;
  readonly error?: { readonly name: string; readonly message: string };
  /** How the after-state was come by, in the adapter's words. */
  readonly fidelity?: string;
  readonly attempts?: number;
  /** Names of the states that could not be projected. */
  readonly damaged: readonly string[];
  readonly endTime: number;
  /** What was removed from this step's record. */
  readonly redaction: RedactionSummary;
}

/** The end of a trajectory. */
export interface CloseEvent {
  readonly trajectoryId: string;
  readonly status: string;
  readonly success?: boolean;
  readonly finalScore?: number;
  readonly stepCount: number;
  /** Steps that began and have not ended. */
  readonly openSteps: number;
  readonly endTime: number;
  /** Removals in the whole trajectory. */
  readonly redactions: number;
}
