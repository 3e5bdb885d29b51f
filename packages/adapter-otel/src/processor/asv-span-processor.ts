import { atProcessExit, leaveProcessExit, nameError } from "@agent-step-value/sdk/capture";
import { STEP_SPAN, TRAJECTORY_SPAN } from "../asv-spans/attributes.ts";
import type { ProcessedSpan } from "./processed-span.ts";
import { resolveProcessorOptions, type SpanProcessorOptions } from "./processor-options.ts";
import { ReportDesk, type SpanProcessorReport } from "./processor-report.ts";
import { RunRecorder } from "./run-recorder.ts";

/** A span processor of either line of the SDK. */
export interface AsvSpanProcessor {
  onStart(span: ProcessedSpan, parentContext?: unknown): void;
  onEnding(span: ProcessedSpan): void;
  onEnd(span: ProcessedSpan): void;
  /** Closes what has been idle for too long. Never rejects. `void` is what the SDK's interface asks for. */
  forceFlush(): Promise<SpanProcessorReport & void>;
  /** Closes everything that is open as `partial:shutdown` and the file. Never rejects. */
  shutdown(): Promise<SpanProcessorReport & void>;
  /** What became of the steps so far. */
  report(): SpanProcessorReport;
  readonly openTrajectories: number;
}

/**
 * Writes the `asv.trajectory` and `asv.step` spans of the host's pipeline to a JSONL file as ASV live
 * records, each as it happens, in one synchronous write. Readers and `asv pack` take the file as any
 * other. Spans that are neither cost one comparison.
 *
 * Register it before all other processors: one that throws keeps those behind it from a span.
 *
 * No hook throws, and nothing is kept of a span but digests and numbers. It is no exporter: what a
 * queue drops or a dead collector loses is still in the file.
 *
 * @throws {InvalidArgumentError} for options that cannot be used. Nothing throws after that.
 */
export function asvSpanProcessor(options: SpanProcessorOptions): AsvSpanProcessor {
  return new LiveSpanProcessor(options);
}

class LiveSpanProcessor implements AsvSpanProcessor {
  readonly #desk: ReportDesk;
  readonly #recorder: RunRecorder;
  readonly #takeBackEnd: () => void;
  /** Spans that are ending and whose `onEnd` has not come. */
  readonly #ending = new Set<ProcessedSpan>();
  /** Those of them that were recorded without waiting for it. */
  readonly #settled = new WeakSet<ProcessedSpan>();
  #settlesSoon = false;
  #shut = false;

  constructor(options: SpanProcessorOptions) {
    const config = resolveProcessorOptions(options);
    this.#desk = new ReportDesk(config.onError);
    this.#recorder = new RunRecorder(config, this.#desk);
    this.#takeBackEnd = atProcessExit((why) => {
      this.#settle();
      this.#recorder.closeAll(why);
    });
  }

  get openTrajectories(): number {
    return this.#recorder.openRuns;
  }

  onStart(span: ProcessedSpan): void {
    try {
      if (!isAsvSpan(span) || this.#shut) return;
      this.#settle();
      if (span.name === STEP_SPAN) this.#recorder.stepStarted(span);
      else this.#recorder.trajectoryStarted(span);
    } catch (error) {
      this.#fail(error);
    }
  }

  /**
   * A processor before this one that throws in its `onEnd` keeps the span's `onEnd` from coming here, so
   * the span is remembered, and recorded at the next opportunity.
   */
  onEnding(span: ProcessedSpan): void {
    try {
      if (!isAsvSpan(span) || this.#shut) return;
      this.#settle();
      this.#ending.add(span);
      if (this.#settlesSoon) return;
      this.#settlesSoon = true;
      queueMicrotask(() => {
        this.#settlesSoon = false;
        this.#settle();
      });
    } catch (error) {
      this.#fail(error);
    }
  }

  onEnd(span: ProcessedSpan): void {
    try {
      if (!isAsvSpan(span)) return;
      // As a rule it is the one that is ending; if not, it has been recorded without waiting for this.
      if (!this.#ending.delete(span) && this.#settled.has(span)) return;
      this.#settle();
      if (this.#shut) this.#tellShut(span);
      else this.#record(span);
    } catch (error) {
      this.#fail(error);
    }
  }

  forceFlush(): Promise<SpanProcessorReport & void> {
    return this.#finish(() => this.#recorder.flush());
  }

  shutdown(): Promise<SpanProcessorReport & void> {
    return this.#finish(() => {
      if (this.#shut) return;
      this.#shut = true;
      this.#takeBackEnd();
      leaveProcessExit();
      this.#recorder.closeAll("shutdown");
      this.#recorder.flush();
      this.#recorder.release();
    });
  }

  report(): SpanProcessorReport {
    return this.#desk.report();
  }

  #finish(work: () => void): Promise<SpanProcessorReport & void> {
    try {
      this.#settle();
      work();
    } catch (error) {
      this.#fail(error);
    }
    return Promise.resolve(this.report() as SpanProcessorReport & void);
  }

  /** Records the spans that have ended without this processor being told. Never throws. */
  #settle(): void {
    if (this.#ending.size === 0) return;
    for (const span of this.#ending) {
      this.#ending.delete(span);
      this.#settled.add(span);
      try {
        this.#record(span);
      } catch (error) {
        this.#fail(error);
      }
    }
  }

  #record(span: ProcessedSpan): void {
    if (span.name !== STEP_SPAN) return this.#recorder.trajectoryEnded(span);
    try {
      this.#recorder.stepEnded(span);
    } catch (error) {
      this.#desk.dropped++;
      throw error;
    }
  }

  #tellShut(span: ProcessedSpan): void {
    if (span.name !== STEP_SPAN) return;
    this.#desk.dropped++;
    this.#desk.tell("after_shutdown", "a step ended after the span processor was shut down and was dropped.");
  }

  #fail(error: unknown): void {
    this.#desk.tell("internal", `the span processor threw ${nameError(error)}; a span was left out.`);
  }
}

/** By name alone: a host may put a trajectory's id on spans of its own. */
function isAsvSpan({ name }: ProcessedSpan): boolean {
  return name === STEP_SPAN || name === TRAJECTORY_SPAN;
}
