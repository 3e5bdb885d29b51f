import { SpanProcessorError, type SpanProcessorProblem } from "./processor-error.ts";

/** What became of the steps whose spans ended so far. */
export interface SpanProcessorReport {
  /** Steps in the file. */
  readonly written: number;
  /** Steps that ended and are not in the file. */
  readonly dropped: number;
  /** Steps in the file that lack a state because its text was cut or changed on the way. */
  readonly damaged: number;
  /** Steps in the file of which the span gave only the digest of a state. */
  readonly withoutText: number;
  /** The first problems, at most 20. */
  readonly errors: readonly SpanProcessorError[];
}

/** How many errors a report can list. */
const KEPT = 20;

/** Counts steps, and is where every problem ends: nothing that comes here reaches the host as an exception. */
export class ReportDesk {
  written = 0;
  dropped = 0;
  damaged = 0;
  withoutText = 0;
  readonly #errors: SpanProcessorError[] = [];
  readonly #told = new Set<SpanProcessorProblem>();
  readonly #onError: ((error: SpanProcessorError) => unknown) | undefined;

  /** @param onError gets every kind of problem once; without it the console gets the warning */
  constructor(onError: ((error: SpanProcessorError) => unknown) | undefined) {
    this.#onError = onError;
  }

  /** Tells of a problem the first time it occurs: a host with a thousand cut states needs one message. */
  tell(problem: SpanProcessorProblem, message: string): void {
    if (this.#told.has(problem)) return;
    this.#told.add(problem);
    const error = new SpanProcessorError(problem, message);
    if (this.#errors.length < KEPT) this.#errors.push(error);
    try {
      if (this.#onError === undefined) console.warn(`asv span processor: ${error.message}`);
      else {
        const result = this.#onError(error);
        // An async handler that rejects would otherwise end the host as an unhandled rejection.
        if (isThenable(result)) result.then(undefined, () => undefined);
      }
    } catch {
      // The handler is the last resort; there is nobody left to tell.
    }
  }

  report(): SpanProcessorReport {
    const { written, dropped, damaged, withoutText } = this;
    return { written, dropped, damaged, withoutText, errors: [...this.#errors] };
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && typeof Reflect.get(value, "then") === "function";
}
