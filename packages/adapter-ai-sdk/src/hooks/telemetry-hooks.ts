import type { AgentRun } from "../runs/agent-run.ts";
import { insideTool } from "../runs/inside-tool.ts";
import { statusOfError } from "../runs/run-end.ts";
import { readStepStart, type StepResultReader } from "../runs/step-result.ts";

/** Marks integrations of ours, of any copy of this package. */
const OURS = Symbol.for("agent-step-value.ai-sdk.integration");

/** True for an integration that this package made. */
export function isOurs(integration: unknown): boolean {
  return typeof integration === "object" && integration !== null && OURS in integration;
}

export function asOurs<T extends object>(integration: T): T {
  return Object.assign(integration, { [OURS]: true });
}

interface ErrorEvent {
  readonly error?: unknown;
}

function errorOf(event: unknown): unknown {
  const { error } = Object(event) as ErrorEvent;
  return error === undefined ? new Error("unknown") : error;
}

type Execute<T> = { readonly execute: () => PromiseLike<T> };

/** The hooks of AI SDK 7 that end a run which is streamed; a call that is awaited ends with its promise. */
function streamEnds(run: AgentRun) {
  return {
    onEnd: () => run.attempt(() => run.end("complete")),
    onAbort: () => run.attempt(() => run.end("aborted")),
    onError: (event: unknown) =>
      run.attempt(() => run.end(statusOfError(errorOf(event), run.signal), errorOf(event))),
  };
}

/**
 * The telemetry integration that follows one run. It holds the hooks of AI SDK 6, of 7, or of both; all
 * are synchronous and give nothing back, as the SDK waits for them.
 */
export function telemetryHooks(
  run: AgentRun,
  results: StepResultReader,
  { v6, v7, streams }: { v6: boolean; v7: boolean; streams: boolean },
): object {
  const onStepStart = (event: unknown) => run.attempt(() => run.stepStarted(readStepStart(event)));
  const ended = (event: unknown) => run.attempt(() => run.stepEnded(results.read(event)));
  return asOurs({
    onStepStart,
    ...(v6 && { onStepFinish: ended, onFinish: () => run.attempt(() => run.end("complete")) }),
    ...(v7 && {
      onStepEnd: ended,
      onStepError: (event: unknown) => run.attempt(() => run.noteError(errorOf(event))),
      executeTool: <T>({ execute }: Execute<T>) => insideTool(run, true, execute),
      ...(streams && streamEnds(run)),
    }),
  });
}
