import type { AgentRun } from "../runs/agent-run.ts";
import type { CallSettings } from "../runs/call-settings.ts";
import { systemText, type StepResultReader } from "../runs/step-result.ts";
import { alongside, fieldOf } from "./alongside.ts";

type Callback = (...args: unknown[]) => unknown;

function listOf(value: unknown): readonly unknown[] | undefined {
  return Array.isArray(value) ? value : undefined;
}

/**
 * AI SDK 5: `prepareStep` is given the messages of a step and may replace them, `onStepFinish` its result.
 *
 * @param experimental true where the old name of `prepareStep` counts as well
 */
export function callbackHooks(
  settings: CallSettings,
  run: AgentRun,
  results: StepResultReader,
  experimental: boolean,
): CallSettings {
  const old = experimental ? settings["experimental_prepareStep"] : undefined;
  const prepare = settings["prepareStep"] === undefined ? old : settings["prepareStep"];
  const started = (given: unknown, prepared: unknown) =>
    run.stepStarted({
      number: undefined,
      messages: listOf(fieldOf(prepared, "messages")) ?? listOf(fieldOf(given, "messages")),
      system: systemText(fieldOf(prepared, "system")),
    });
  return {
    prepareStep: async (...args: unknown[]) => {
      const prepared: unknown =
        typeof prepare === "function" ? await (prepare as Callback)(...args) : undefined;
      run.attempt(() => started(args[0], prepared));
      return prepared;
    },
    onStepFinish: alongside(
      (step) => run.attempt(() => run.stepEnded(results.read(step, run.openStep))),
      settings["onStepFinish"],
    ),
  };
}
