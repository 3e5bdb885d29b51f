import type { AgentRun } from "../runs/agent-run.ts";
import type { CallSettings } from "../runs/call-settings.ts";
import { systemText, type StepResultReader } from "../runs/step-result.ts";

type Callback = (...args: unknown[]) => unknown;

/** The host's callback after ours: it gets what it would get, and what it gives or throws goes on as it is. */
export function alongside(hook: (event: unknown) => void, callback: unknown): Callback {
  return (...args) => {
    hook(args[0]);
    return typeof callback === "function" ? (callback as Callback)(...args) : undefined;
  };
}

interface Prepared {
  readonly messages?: unknown;
  readonly system?: unknown;
}

/**
 * Follows a run through the callbacks that AI SDK 5 has: `prepareStep` is given the messages of a step and
 * may replace them, `onStepFinish` its result.
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
  return {
    prepareStep: async (...args: unknown[]) => {
      const prepared: unknown =
        typeof prepare === "function" ? await (prepare as Callback)(...args) : undefined;
      run.attempt(() => {
        const { messages, system } = Object(prepared) as Prepared;
        const given = (Object(args[0]) as Prepared).messages;
        const known = Array.isArray(messages) ? messages : given;
        run.stepStarted({
          number: undefined,
          messages: Array.isArray(known) ? (known as unknown[]) : undefined,
          system: systemText(system),
        });
      });
      return prepared;
    },
    onStepFinish: alongside(
      (step) => run.attempt(() => run.stepEnded(results.read(step))),
      settings["onStepFinish"],
    ),
  };
}
