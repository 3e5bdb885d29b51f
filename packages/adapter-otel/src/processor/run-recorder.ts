import type { LiveRecord } from "@agent-step-value/sdk";
import { nameError } from "@agent-step-value/sdk/capture";
import { ASV_SET_VERSION, STEP, TRAJECTORY } from "../asv-spans/attributes.ts";
import { closeRecord, closeStatus, missingSteps } from "./close-record.ts";
import type { LiveRun } from "./live-run.ts";
import { LiveRecordFile } from "./live-record-file.ts";
import { madeUpOpenRecord, openRecord } from "./open-record.ts";
import type { ProcessedSpan } from "./processed-span.ts";
import type { SpanProcessorConfig } from "./processor-options.ts";
import type { ReportDesk } from "./processor-report.ts";
import { RunRegister } from "./run-register.ts";
import { cutLength, trajectoryIdOf } from "./span-trajectory-id.ts";
import { stepLine, type StepLine } from "./step-line.ts";

/** Turns the starts and ends of `asv.*` spans into live records. Whoever calls it catches what it throws. */
export class RunRecorder {
  readonly #config: SpanProcessorConfig;
  readonly #desk: ReportDesk;
  readonly #file: LiveRecordFile;
  readonly #runs: RunRegister;

  constructor(config: SpanProcessorConfig, desk: ReportDesk) {
    this.#config = config;
    this.#desk = desk;
    this.#file = new LiveRecordFile(config.file, desk);
    const { maxOpenTrajectories, maxOpenMs } = config;
    this.#runs = new RunRegister({ maxOpen: maxOpenTrajectories, maxIdleMs: maxOpenMs }, (run, why) =>
      this.#onLeave(run, why),
    );
  }

  get openRuns(): number {
    return this.#runs.openCount;
  }

  trajectoryStarted(span: ProcessedSpan): void {
    const id = trajectoryIdOf(span);
    // A writer may set it later.
    if (id === undefined) return;
    const run = this.#runOfTrajectory(id, span);
    run.root = span.spanContext().spanId;
    const version = span.attributes[TRAJECTORY.schemaVersion];
    if (version !== undefined && version !== ASV_SET_VERSION) {
      run.refused = true;
      const shown = typeof version === "number" ? String(version) : typeof version;
      this.#desk.tell(
        "unknown_schema_version",
        `a trajectory span has version ${shown} of the asv.* attributes; this release reads ${ASV_SET_VERSION}. Its steps were dropped.`,
      );
    }
    if (!run.opened && !run.refused) this.#open(run, openRecord(run, span, this.#config.policies));
  }

  stepStarted(span: ProcessedSpan): void {
    const id = trajectoryIdOf(span);
    if (id === undefined) return;
    const run = this.#runOfStep(id, span);
    run.begin(span.attributes[STEP.index]);
    this.#runs.touch(run);
  }

  stepEnded(span: ProcessedSpan): void {
    const run = this.#runOfEnded(span);
    if (run === undefined || run.refused) return this.#drop(run);
    if (run.openSteps > 0) run.openSteps--;
    if (!run.opened) this.#open(run, madeUpOpenRecord(run, span));
    const step = stepLine(run, span, this.#config.policies);
    if (!this.#file.append(step.pieces)) return void this.#desk.dropped++;
    run.written++;
    if (step.after !== undefined) run.keepAfter(step.index, step.after);
    this.#runs.touch(run);
    this.#count(step);
  }

  trajectoryEnded(span: ProcessedSpan): void {
    const { traceId, spanId } = span.spanContext();
    const id = this.#idOf(span);
    if (id === undefined) return;
    // By its own span id: of two runs of one id, each ends its own.
    let run = this.#runs.find(id, spanId, traceId);
    const isNew = run === undefined ? !this.#runs.isForgotten(id) : run.root === undefined && !run.closed;
    if (isNew) {
      // Its start was not seen, or had no id yet.
      this.trajectoryStarted(span);
      run = this.#runs.find(id, spanId, traceId);
    }
    if (run === undefined || run.root !== spanId || run.closed) return;
    const status = closeStatus(span);
    // It may go on under another span, and a trajectory has one close record.
    if (status === "interrupted") return this.#runs.suspend(run);
    const missing = missingSteps(run, span);
    if (missing > 0) {
      this.#desk.tell(
        "steps_missing",
        `a trajectory ended ${missing} steps that did not reach the span processor; its close record says so.`,
      );
    }
    this.#close(run, status, span);
    if (this.#config.fsync) this.#file.sync();
  }

  /** Closes what has been idle for too long, and brings everything to the disk where that was asked for. */
  flush(): void {
    this.#runs.sweep();
    if (this.#config.fsync) this.#file.sync();
  }

  /** Closes everything that is open, as `partial:` and why. */
  closeAll(why: string): void {
    const { open, suspended } = this.#runs.takeAll();
    for (const run of open) this.#close(run, `partial:${why}`);
    for (const run of suspended) this.#close(run, "interrupted");
  }

  /** Gives the file up. */
  release(): void {
    this.#file.release();
  }

  /** Called by a timer too, where a throw would end the host. */
  #onLeave(run: LiveRun, why: "idle" | "evicted" | "interrupted"): void {
    if (why === "evicted") {
      const most = this.#config.maxOpenTrajectories;
      this.#desk.tell("evicted", `more than ${most} trajectories are open; the one idle longest was closed.`);
    }
    try {
      this.#close(run, why === "interrupted" ? why : `partial:${why}`);
    } catch (error) {
      this.#desk.tell("internal", `closing a trajectory threw ${nameError(error)}.`);
    }
  }

  #idOf(span: ProcessedSpan): string | undefined {
    const id = trajectoryIdOf(span);
    if (id === undefined) this.#desk.tell("unusable_id", `a span has no usable ${TRAJECTORY.id}.`);
    return id;
  }

  /** The run of a step that has ended; undefined where it cannot be told. */
  #runOfEnded(span: ProcessedSpan): LiveRun | undefined {
    const id = this.#idOf(span);
    if (id === undefined) return undefined;
    const cut = cutLength(id, span);
    if (cut === undefined) return this.#runOfStep(id, span);
    this.#desk.tell(
      "unusable_id",
      `the tracer provider cuts attribute values to ${cut} characters, trajectory ids among them; steps were dropped. Raise attributeValueLengthLimit above 64.`,
    );
    return undefined;
  }

  #runOfStep(id: string, span: ProcessedSpan): LiveRun {
    const { traceId } = span.spanContext();
    return this.#runs.find(id, span.parentSpanContext?.spanId, traceId) ?? this.#runs.add(id, traceId);
  }

  #runOfTrajectory(id: string, span: ProcessedSpan): LiveRun {
    const { traceId } = span.spanContext();
    const newest = this.#runs.newest(id);
    if (newest === undefined) return this.#runs.add(id, traceId);
    if (this.#runs.isSuspended(newest)) {
      this.#runs.resume(newest);
      return newest;
    }
    // Its steps came first.
    if (newest.root === undefined && !newest.closed) return newest;
    this.#desk.tell(
      "trajectory_repeated",
      "a second trajectory began under an id that another has; it is kept under that id with .2, .3, ... behind it.",
    );
    return this.#runs.add(id, traceId);
  }

  #open(run: LiveRun, record: LiveRecord): void {
    run.opened = this.#file.write(record);
  }

  #close(run: LiveRun, status: string, span?: ProcessedSpan): void {
    // Nothing of it stands in the file: should a step of it end after all, it begins anew.
    if (!run.opened && !run.refused) return this.#runs.forget(run);
    if (run.opened) this.#file.write(closeRecord(run, status, span));
    this.#runs.close(run);
  }

  #drop(run: LiveRun | undefined): void {
    if (run !== undefined && run.openSteps > 0) run.openSteps--;
    this.#desk.dropped++;
  }

  #count({ damaged, withoutText, reassigned }: StepLine): void {
    const desk = this.#desk;
    desk.written++;
    if (damaged) {
      desk.damaged++;
      desk.tell(
        "damaged_state",
        "a state text is not what its span declares: cut by a limit of the tracer provider, or changed. It was left out.",
      );
    }
    if (withoutText) {
      desk.withoutText++;
      desk.tell(
        "no_state_text",
        "a span gives only the digest of a state, being longer than 16,384 characters or kept off spans. A recorder with a file keeps every state.",
      );
    }
    if (reassigned) {
      desk.tell(
        "index_reassigned",
        "a step had no index, or that of another step; it got the next free one.",
      );
    }
  }
}
