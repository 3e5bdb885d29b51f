import type { AgentRun } from "../runs/agent-run.ts";
import { readStepStart, type StepResultReader } from "../runs/step-result.ts";

/** Marks integrations of ours, of any copy of this package. */
const OURS = Symbol.for("agent-step-value.ai-sdk.integration");

/** True for an integration that this package made. */
export function isOurs(integration: unknown): boolean {
  return typeof integration === "object" && integration !== null && OURS in integration;
}

export function asOurs<T extends object>(integration: T): T {
  return Object.defineProperty(integration, OURS, { value: true });
}

/**
 * AI SDK 6: the telemetry integration that follows one run. All hooks are synchronous and give nothing
 * back, as the SDK waits for them.
 *
 * @param streams true for a stream. What is awaited is over when it gives its result: it says that it finished, and
 *   may throw then, over an output that cannot be read
 */
export function telemetryHooks(run: AgentRun, results: StepResultReader, streams: boolean): object {
  return asOurs({
    onStepStart: (event: unknown) => run.attempt(() => run.stepStarted(readStepStart(event))),
    onStepFinish: (event: unknown) => run.attempt(() => run.stepEnded(results.read(event))),
    ...(streams && { onFinish: () => run.attempt(() => run.end("complete")) }),
  });
}
