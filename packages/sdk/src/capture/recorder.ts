import { CaptureError } from "./capture-error.ts";
import type { CaptureReport } from "./capture-report.ts";
import { ErrorDesk } from "./error-desk.ts";
import { atProcessExit, leaveProcessExit } from "./jsonl-sink-exit.ts";
import type { LiveTrajectory, TrajectoryKeeper } from "./live-trajectory.ts";
import { OpenTrajectories } from "./open-trajectories.ts";
import { openTrajectory } from "./open-trajectory.ts";
import { resolveRecorderOptions, type RecorderConfig, type RecorderOptions } from "./recorder-options.ts";
import { silentTrajectory } from "./silent-trajectory.ts";
import type { ReportProblem, Sink } from "./sink.ts";
import type { CloseOptions, TrajectoryCapture, TrajectoryOptions } from "./trajectory-capture.ts";
import { newTrajectoryId, usableId } from "./trajectory-id.ts";
import { UsedIds } from "./used-ids.ts";

/** Records trajectories live. It knows no evaluator, and nothing it does reaches the host as an exception. */
export interface Recorder {
  /** Opens a trajectory, or goes on with one that is open or interrupted. */
  trajectory(options?: TrajectoryOptions): TrajectoryCapture;
  readonly openTrajectories: number;
  /** Closes what has been idle for too long and flushes the sinks. Never rejects. */
  flush(): Promise<CaptureReport>;
  /** Closes everything that is open as `partial:shutdown` and lets the sinks go. Never rejects. */
  shutdown(): Promise<CaptureReport>;
}

/**
 * Makes a recorder. With no options it writes spans through the global tracer provider, and JSONL
 * where `ASV_FILE` says; with neither it warns once and costs nothing.
 *
 * @throws {InvalidArgumentError} for options that cannot be used. Nothing throws after that.
 */
export function createRecorder(options: RecorderOptions = {}): Recorder {
  return new LiveRecorder(resolveRecorderOptions(options));
}

/** Interrupted trajectories that are remembered. */
const MOST_INTERRUPTED = 256;
/** Longest wait for a sink of the user's to flush, in ms. */
const FLUSH_LIMIT = 10_000;
const STATUSES: readonly unknown[] = [
  "complete",
  "error",
  "aborted",
  "abandoned",
  "interrupted",
] satisfies CloseOptions["status"][];

class LiveRecorder implements Recorder, TrajectoryKeeper {
  readonly desk: ErrorDesk;
  readonly #config: RecorderConfig;
  readonly #open: OpenTrajectories<LiveTrajectory>;
  /** Their close is written only when it is clear that they will not go on: a trajectory has one. */
  readonly #interrupted = new Map<string, LiveTrajectory>();
  readonly #count = { written: 0, dropped: 0, damaged: 0 };
  readonly #used = new UsedIds();
  #takeBackExit: (() => void) | undefined;
  #shut = false;

  constructor(config: RecorderConfig) {
    this.#config = config;
    this.desk = new ErrorDesk(config.onError);
    const { maxOpenMs, maxOpenTrajectories } = config;
    this.#open = new OpenTrajectories<LiveTrajectory>(
      { maxOpen: maxOpenTrajectories, maxIdleMs: maxOpenMs },
      (trajectory) => this.#finish(trajectory, "abandoned"),
      (trajectory) => {
        this.desk.report(
          "evicted",
          `more than ${maxOpenTrajectories} trajectories are open; one was closed.`,
        );
        this.#finish(trajectory, "partial:evicted");
      },
    );
  }

  get openTrajectories(): number {
    return this.#open.size;
  }

  trajectory(options: TrajectoryOptions = {}): TrajectoryCapture {
    try {
      const id = usableId(options.id);
      if (id === undefined) return this.#begin(newTrajectoryId(), options);
      return this.#open.get(id) ?? this.#begin(this.#used.fresh(id), options);
    } catch (error) {
      this.desk.fail("internal", "trajectory()", error);
      return silentTrajectory(newTrajectoryId(), () => this.#count.dropped++);
    }
  }

  async flush(): Promise<CaptureReport> {
    this.desk.attempt("internal", "flush()", () => this.#open.sweep());
    await this.#eachSink((sink, report) => sink.flush?.(report));
    return this.#report();
  }

  async shutdown(): Promise<CaptureReport> {
    this.#shut = true;
    this.#finishAll("partial:shutdown");
    leaveProcessExit();
    await this.#eachSink((sink, report) => sink.flush?.(report));
    await this.#eachSink((sink, report) => sink.shutdown?.(report));
    return this.#report();
  }

  touch(trajectory: LiveTrajectory): void {
    this.#open.touch(trajectory);
  }

  count({ written, damaged }: { written: boolean; damaged: boolean }): void {
    this.#count[written ? "written" : "dropped"]++;
    if (damaged) this.#count.damaged++;
  }

  onClose(trajectory: LiveTrajectory, options: CloseOptions): void {
    this.#open.delete(trajectory);
    const status = closeStatus(options?.status);
    if (status === "interrupted" && !this.#shut) this.#interrupt(trajectory);
    else {
      trajectory.finish(status, options);
      this.#used.add(trajectory.id);
    }
    this.#watchExit();
  }

  #begin(id: string, options: TrajectoryOptions): TrajectoryCapture {
    const onLost = (): void => void this.#count.dropped++;
    if (this.#shut) return silentTrajectory(id, onLost);
    const earlier = this.#interrupted.get(id)?.takeOver();
    this.#interrupted.delete(id);
    const opened = openTrajectory(id, options, {
      config: this.#config,
      keeper: this,
      earlier,
      parent: this.#open.get(options.parentTrajectoryId ?? "")?.context,
    });
    if (opened === "lost") return silentTrajectory(id, onLost);
    if (opened === "skipped") return silentTrajectory(id, undefined);
    this.#open.add(opened);
    this.#watchExit();
    return opened;
  }

  #interrupt(trajectory: LiveTrajectory): void {
    trajectory.suspend();
    for (const oldest of this.#interrupted.values()) {
      if (this.#interrupted.size < MOST_INTERRUPTED) break;
      this.#interrupted.delete(oldest.id);
      oldest.finish("interrupted");
      this.#used.add(oldest.id);
    }
    this.#interrupted.set(trajectory.id, trajectory);
  }

  #finish(trajectory: LiveTrajectory, status: string): void {
    trajectory.finish(status);
    this.#used.add(trajectory.id);
    this.#watchExit();
  }

  #finishAll(status: string): void {
    for (const trajectory of this.#open.takeAll()) trajectory.finish(status);
    for (const trajectory of this.#interrupted.values()) trajectory.finish("interrupted");
    this.#interrupted.clear();
    this.#watchExit();
  }

  /** The process's end concerns a recorder only while something is open. */
  #watchExit(): void {
    const isBusy = this.#open.size + this.#interrupted.size > 0;
    if (isBusy) this.#takeBackExit ??= atProcessExit((why) => this.#finishAll(`partial:${why}`));
    else {
      this.#takeBackExit?.();
      this.#takeBackExit = undefined;
    }
  }

  async #eachSink(
    run: (sink: Sink, report: ReportProblem) => void | Promise<void> | undefined,
  ): Promise<void> {
    const report: ReportProblem = (problem, message) => this.desk.report(problem, message);
    const waits = this.#config.sinks.map(async (sink) => {
      try {
        await within(FLUSH_LIMIT, run(sink, report));
      } catch (error) {
        this.desk.fail("sink_failed", `sink "${sink.name}"`, error);
      }
    });
    await Promise.all(waits);
  }

  #report(): CaptureReport {
    const otel = this.#config.sinks.find(({ name }) => name === "otel");
    return { ...this.#count, errors: [...this.desk.errors], otel: otel?.state ?? "off" };
  }
}

function closeStatus(status: unknown): CloseOptions["status"] {
  return STATUSES.includes(status) ? (status as CloseOptions["status"]) : "complete";
}

/** Waits for work, and gives up with a rejection when it takes too long. */
async function within(ms: number, work: void | Promise<void> | undefined): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new CaptureError("sink_failed", `a sink took longer than ${ms} ms.`)),
      ms,
    );
  });
  try {
    await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}
