import type { AgentRun } from "../runs/agent-run.ts";
import type { CallSettings } from "../runs/call-settings.ts";
import { statusOfError } from "../runs/run-end.ts";
import { readStepStart, type StepResultReader } from "../runs/step-result.ts";
import { alongside, fieldOf } from "./alongside.ts";

/**
 * AI SDK 7: the step callbacks of a call or an agent. Telemetry integrations would tell the same, but those
 * of a call stand in place of the registered ones, and a copy of every event is made for them.
 */
export function stepHooks(settings: CallSettings, run: AgentRun, results: StepResultReader): CallSettings {
  const { onStepStart, experimental_onStepStart, onStepEnd, onStepFinish } = settings;
  return {
    onStepStart: alongside(
      (event) => run.attempt(() => run.stepStarted(readStepStart(event))),
      onStepStart ?? experimental_onStepStart,
    ),
    onStepEnd: alongside(
      (event) => run.attempt(() => run.stepEnded(results.read(event))),
      onStepEnd ?? onStepFinish,
    ),
  };
}

/** AI SDK 7: a step failed, and the call with it. An agent takes this callback with the settings of the call. */
export function stepErrorHook(settings: CallSettings, run: AgentRun): CallSettings {
  const failed = (event: unknown) => {
    const error = fieldOf(event, "error");
    run.attempt(() => run.end(statusOfError(error, run.signal), error));
  };
  return { onStepError: alongside(failed, settings["onStepError"]) };
}
