import { CaptureError, nameError, type CaptureProblem } from "./capture-error.ts";

/** How many errors a report can list. */
const KEPT = 20;

/** Where every problem of a recorder ends: nothing that comes here reaches the host as an exception. */
export class ErrorDesk {
  /** The first errors, for the report. */
  readonly errors: CaptureError[] = [];
  readonly #told = new Set<CaptureProblem>();
  readonly #onError: ((error: Error) => unknown) | undefined;

  /** @param onError gets every error; without it the console gets one warning a problem */
  constructor(onError: ((error: Error) => unknown) | undefined) {
    this.#onError = onError;
  }

  report(problem: CaptureProblem, message: string): void {
    this.#tell(new CaptureError(problem, message));
  }

  /** Reports a problem that says all there is to say the first time. */
  reportOnce(problem: CaptureProblem, message: string): void {
    if (!this.#told.has(problem)) this.report(problem, message);
  }

  /**
   * Calls foreign code. A throw, and the rejection of a promise nobody waits for, are reported.
   *
   * @param what names the code in the message
   * @returns undefined where it threw
   */
  attempt<T>(problem: CaptureProblem, what: string, run: () => T): { readonly value: T } | undefined {
    try {
      const value = run();
      this.watch(problem, what, value);
      return { value };
    } catch (error) {
      this.fail(problem, what, error);
      return undefined;
    }
  }

  /** What foreign code gave: a promise that rejects, and that nobody waits for, is reported. */
  watch(problem: CaptureProblem, what: string, value: unknown): void {
    if (isThenable(value)) value.then(undefined, (error: unknown) => this.fail(problem, what, error));
  }

  /** Reports what foreign code threw; an error of the toolkit's own is passed on as it is. */
  fail(problem: CaptureProblem, what: string, error: unknown): void {
    if (error instanceof CaptureError) this.#tell(error);
    else this.report(problem, `${what} threw ${nameError(error)}.`);
  }

  #tell(error: CaptureError): void {
    const known = this.#told.has(error.problem);
    this.#told.add(error.problem);
    if (this.errors.length < KEPT) this.errors.push(error);
    try {
      if (this.#onError === undefined) {
        if (!known) console.warn(`asv capture: ${error.message}`);
        return;
      }
      const result = this.#onError(error);
      // An async handler that rejects would otherwise end the host as an unhandled rejection.
      if (isThenable(result)) result.then(undefined, () => undefined);
    } catch {
      // The handler is the last resort; there is nobody left to tell.
    }
  }
}

/** True for anything that may be a promise; reading `then` may throw, which the caller guards. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  if (typeof value !== "object" || value === null) return false;
  return typeof (value as { then?: unknown }).then === "function";
}
