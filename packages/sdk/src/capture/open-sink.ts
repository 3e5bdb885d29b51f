import type { Context } from "@opentelemetry/api";
import type { ErrorDesk } from "./error-desk.ts";
import type { CloseEvent, Sink, StepEnd, StepSink, StepStart, TrajectorySink } from "./sink.ts";

/**
 * A sink that took a trajectory. Nothing that it throws, or rejects with, gets past here.
 *
 * A method each, without closures: this runs inside the host's own call, twice a step.
 */
export class OpenSink {
  readonly context: Context | undefined;
  readonly #open: TrajectorySink;
  readonly #what: string;
  readonly #desk: ErrorDesk;

  constructor(sink: Sink, open: TrajectorySink, desk: ErrorDesk) {
    this.context = open.context;
    this.#open = open;
    this.#what = `sink "${sink.name}"`;
    this.#desk = desk;
  }

  get suspends(): boolean {
    return this.#open.suspend !== undefined;
  }

  /** Undefined where the step is lost. */
  begin(start: StepStart): StepSink | undefined {
    try {
      return this.#open.begin(start);
    } catch (error) {
      this.#failed(error);
      return undefined;
    }
  }

  /** False where the step is lost. */
  end(step: StepSink | undefined, end: StepEnd): boolean {
    if (step === undefined) return false;
    try {
      const taken: unknown = step.end(end);
      if (taken !== undefined) this.#desk.watch("sink_failed", this.#what, taken);
      return taken !== false;
    } catch (error) {
      this.#failed(error);
      return false;
    }
  }

  close(event: CloseEvent): void {
    try {
      this.#desk.watch("sink_failed", this.#what, this.#open.close(event));
    } catch (error) {
      this.#failed(error);
    }
  }

  suspend(event: CloseEvent): void {
    try {
      this.#desk.watch("sink_failed", this.#what, this.#open.suspend?.(event));
    } catch (error) {
      this.#failed(error);
    }
  }

  #failed(error: unknown): void {
    this.#desk.fail("sink_failed", this.#what, error);
  }
}
