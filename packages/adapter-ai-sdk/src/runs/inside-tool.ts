import { context, trace, type Context } from "@opentelemetry/api";
import { withCurrentRun, type SurroundingRun } from "./current-run.ts";
import { hostCode } from "./followed-call.ts";

/** A run whose tools are called. */
export interface ToolRun extends SurroundingRun {
  /** OpenTelemetry context in which the run was started. */
  readonly callerContext: Context;
  /** A tool is called, or goes on. */
  toolRuns(): void;
}

/** Where somebody else's span is active around a tool, such as the SDK's own, it stays so. */
function isFree(run: ToolRun): boolean {
  return trace.getSpan(context.active()) === trace.getSpan(run.callerContext);
}

/**
 * Calls a tool's own code inside a run: captured calls that it makes become children of the run, and spans
 * that it opens hang on the span of the step.
 */
export function insideTool<T>(run: ToolRun, work: () => T): T {
  run.toolRuns();
  const span = isFree(run) ? run.toolContext : undefined;
  const inner = span === undefined ? work : () => context.with(span, work);
  return hostCode(() => withCurrentRun(run, inner));
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return (
    typeof value === "object" &&
    value !== null &&
    typeof (value as { [Symbol.asyncIterator]?: unknown })[Symbol.asyncIterator] === "function"
  );
}

/** A generator's code runs when it is asked for a value, so every such call is made inside. */
function iteratorInside(run: ToolRun, iterator: AsyncIterator<unknown>): AsyncIterator<unknown> {
  return {
    next: (...args) => insideTool(run, () => iterator.next(...args)),
    ...(iterator.return !== undefined && {
      return: (value) => insideTool(run, () => iterator.return!(value)),
    }),
    ...(iterator.throw !== undefined && { throw: (error) => insideTool(run, () => iterator.throw!(error)) }),
  };
}

/** Calls a tool's `execute` inside a run; what it yields, if it is a generator, comes out as it is. */
export function executeInside(run: ToolRun, execute: () => unknown): unknown {
  const result = insideTool(run, execute);
  if (!isAsyncIterable(result)) return result;
  return {
    [Symbol.asyncIterator]: () =>
      iteratorInside(
        run,
        insideTool(run, () => result[Symbol.asyncIterator]()),
      ),
  };
}
