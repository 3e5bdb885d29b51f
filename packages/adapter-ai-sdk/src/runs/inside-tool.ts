import { context } from "@opentelemetry/api";
import { withCurrentRun, type SurroundingRun } from "./current-run.ts";

/**
 * Calls a tool's own code inside a run: captured calls that it makes become children of the run, and spans
 * that it opens hang on the span of the step.
 *
 * @param activates false where the SDK makes a span of its own active around the tool, which must stay
 */
export function insideTool<T>(run: SurroundingRun, activates: boolean, work: () => T): T {
  const span = activates ? run.toolContext : undefined;
  const inner = span === undefined ? work : () => context.with(span, work);
  return withCurrentRun(run, inner);
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return (
    typeof value === "object" &&
    value !== null &&
    typeof (value as { [Symbol.asyncIterator]?: unknown })[Symbol.asyncIterator] === "function"
  );
}

type Inside = <T>(work: () => T) => T;

/** A generator's code runs when it is asked for a value, so every such call is made inside. */
function iteratorInside(iterator: AsyncIterator<unknown>, inside: Inside): AsyncIterator<unknown> {
  return {
    next: (...args) => inside(() => iterator.next(...args)),
    ...(iterator.return !== undefined && { return: (value) => inside(() => iterator.return!(value)) }),
    ...(iterator.throw !== undefined && { throw: (error) => inside(() => iterator.throw!(error)) }),
  };
}

/** Calls a tool's `execute` inside; what it yields, if it is a generator, comes out as it is. */
export function executeInside(inside: Inside, execute: () => unknown): unknown {
  const result = inside(execute);
  if (!isAsyncIterable(result)) return result;
  return {
    [Symbol.asyncIterator]: () =>
      iteratorInside(
        inside(() => result[Symbol.asyncIterator]()),
        inside,
      ),
  };
}
