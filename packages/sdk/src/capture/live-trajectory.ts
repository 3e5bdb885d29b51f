import type { Context } from "@opentelemetry/api";
import type { OpenRecord } from "../schema/index.ts";
import { timeOr, type Clock } from "./clock.ts";
import type { ErrorDesk } from "./error-desk.ts";
import { finishStep } from "./finish-step.ts";
import { LiveStep, type BegunStep, type StepOutcome } from "./live-step.ts";
import type { Redactor } from "./redactor.ts";
import { silentStep } from "./silent-trajectory.ts";
import type { Mutable } from "./mutable.ts";
import type { OpenSink } from "./open-sink.ts";
import type { CloseEvent, StepEnd, StepStart } from "./sink.ts";
import { NO_STATE, SAME_AS_BEFORE, Snapshot } from "./snapshot.ts";
import { BlockWriter, type StateWriter } from "./state-writer.ts";
import { stepAction, word } from "./step-fields.ts";
import { newNonce } from "./trajectory-id.ts";
import type {
  CloseOptions,
  StepCapture,
  StepEndOptions,
  StepOptions,
  TrajectoryCapture,
} from "./trajectory-capture.ts";

/** What a trajectory needs of its recorder. */
export interface TrajectoryKeeper {
  readonly desk: ErrorDesk;
  /** A sign of life. */
  touch(trajectory: LiveTrajectory): void;
  count(outcome: { written: boolean; damaged: boolean }): void;
  /** The host closed the trajectory. */
  onClose(trajectory: LiveTrajectory, options: CloseOptions): void;
}

/** Where a trajectory stands, so that it can go on after an interrupt. */
export interface Progress {
  nextIndex: number;
  commits: number;
  /** Removals so far. */
  redactions: number;
  newest: StepOutcome | undefined;
  /** The after-state that came to be last. */
  last: Snapshot | undefined;
}

export interface LiveTrajectoryParts {
  readonly record: OpenRecord;
  readonly redactor: Redactor;
  readonly progress: Progress;
  readonly clock: Clock;
  readonly keeper: TrajectoryKeeper;
  readonly sinks: readonly OpenSink[];
  /** True where a sink should have taken it and could not. */
  readonly lossy: boolean;
}

/** A trajectory that at least one sink takes. */
export class LiveTrajectory implements TrajectoryCapture {
  readonly id: string;
  readonly recording = true;
  readonly context: Context | undefined;
  readonly parts: LiveTrajectoryParts;
  lastActive = 0;
  readonly #nonce = newNonce();
  readonly #underWay = new Set<BegunStep>();
  #closed = false;
  #suspended = false;

  constructor(parts: LiveTrajectoryParts) {
    this.id = parts.record.trajectoryId;
    this.parts = parts;
    this.context = parts.sinks.find(({ context }) => context !== undefined)?.context;
  }

  step(options: StepOptions): StepCapture {
    try {
      const begun = this.#begin(options);
      return new LiveStep(begun, this);
    } catch (error) {
      this.parts.keeper.desk.fail("internal", "step()", error);
      return silentStep(this.parts.progress.nextIndex, () => this.#countLost());
    }
  }

  snapshot(state: unknown): Snapshot {
    return this.#read(state, [], "state") ?? NO_STATE;
  }

  stateWriter(): StateWriter {
    return new BlockWriter(this.parts.redactor, (state) => this.snapshot(state));
  }

  close(options: CloseOptions = { status: "complete" }): void {
    if (this.#closed) return;
    const { keeper } = this.parts;
    keeper.desk.attempt("internal", "close()", () => keeper.onClose(this, options));
  }

  /** Tells the sinks that the trajectory has ended. Whoever calls this has taken it off the register. */
  finish(status: string, outcome: Partial<CloseOptions> = {}): void {
    if (this.#closed && !this.#suspended) return;
    this.#closed = true;
    const event = this.#closeEvent(status, outcome);
    for (const sink of this.parts.sinks) if (!(this.#suspended && sink.suspends)) sink.close(event);
    this.#suspended = false;
  }

  /** Tells the sinks that the run was interrupted. */
  suspend(): void {
    this.#closed = true;
    this.#suspended = true;
    const event = this.#closeEvent("interrupted", {});
    for (const sink of this.parts.sinks) sink.suspend(event);
  }

  /** What goes on after an interrupt. The handle of before stays closed. */
  takeOver(): LiveTrajectoryParts {
    this.#suspended = false;
    return this.parts;
  }

  #closeEvent(status: string, { success, finalScore }: Partial<CloseOptions>): CloseEvent {
    const { progress, clock } = this.parts;
    const event: Mutable<CloseEvent> = {
      trajectoryId: this.id,
      status,
      stepCount: progress.commits,
      openSteps: this.#underWay.size,
      endTime: clock(),
      redactions: progress.redactions,
    };
    if (typeof success === "boolean") event.success = success;
    if (Number.isFinite(finalScore)) event.finalScore = finalScore!;
    return event;
  }

  #begin(options: StepOptions): BegunStep {
    const { redactor, progress, keeper, clock, sinks } = this.parts;
    const damaged: string[] = [];
    const before =
      options.before === undefined ? progress.last : this.#read(options.before, damaged, "state_before");
    const concurrent = this.#underWay.size > 0;
    for (const other of this.#underWay) other.concurrent = true;
    const index = progress.nextIndex++;
    const kind = word(options.kind);
    const start: Mutable<StepStart> = {
      trajectoryId: this.id,
      stepId: `${index}-${this.#nonce}`,
      index,
      action: stepAction(options.action, redactor),
      late: this.#closed,
      concurrent,
      startTime: timeOr(options.startTime, clock),
    };
    if (kind !== undefined) start.kind = kind;
    if (before !== undefined) start.before = before;
    if (options.parentContext !== undefined) start.parentContext = options.parentContext;
    const begun: BegunStep = {
      start,
      outcome: { ended: false },
      previous: progress.newest,
      sinks: sinks.map((sink) => sink.begin(start)),
      damaged,
      hits: redactor.takeHits(),
      concurrent,
    };
    progress.newest = begun.outcome;
    this.#underWay.add(begun);
    keeper.touch(this);
    return begun;
  }

  /** Ends a step that was begun here, once. */
  end(begun: BegunStep, options: StepEndOptions): void {
    const { keeper, sinks, progress } = this.parts;
    this.#underWay.delete(begun);
    begun.outcome.ended = true;
    let end: StepEnd;
    try {
      end = this.#finish(begun, options ?? {});
    } catch (error) {
      keeper.desk.fail("internal", "end()", error);
      return this.#countLost();
    }
    let written = !this.parts.lossy;
    for (let i = 0; i < sinks.length; i += 1) if (!sinks[i]!.end(begun.sinks[i], end)) written = false;
    // Only a record that is there can stand in for the next one's before-state.
    if (written && end.after !== undefined) begun.outcome.afterSha256 = end.after.sha256;
    progress.last = end.after;
    const { hits } = end.redaction;
    for (const rule in hits) progress.redactions += hits[rule]!;
    keeper.count({ written, damaged: end.damaged.length > 0 });
    keeper.touch(this);
  }

  #finish(begun: BegunStep, options: StepEndOptions): StepEnd {
    const { redactor, progress, clock } = this.parts;
    const { after } = options;
    return finishStep(begun, options, {
      after: after === SAME_AS_BEFORE ? begun.start.before : this.#read(after, begun.damaged, "state_after"),
      commitIndex: progress.commits++,
      late: this.#closed,
      redactor,
      clock,
    });
  }

  /** The state as it is now; a state that cannot be projected is noted in `damaged` and absent. */
  #read(state: unknown, damaged: string[], name: string): Snapshot | undefined {
    if (state === undefined || state === SAME_AS_BEFORE) return undefined;
    const taken = Snapshot.is(state) ? state : this.parts.redactor.snapshot(state);
    if (taken !== undefined && taken !== NO_STATE) return taken;
    damaged.push(name);
    if (taken === undefined) {
      this.parts.keeper.desk.report("projection_failed", "a state could not be projected and was left out.");
    }
    return undefined;
  }

  #countLost(): void {
    this.parts.keeper.count({ written: false, damaged: false });
  }
}
