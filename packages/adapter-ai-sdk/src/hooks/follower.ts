import type { AgentRun } from "../runs/agent-run.ts";
import type { CallSettings, TelemetryOptions } from "../runs/call-settings.ts";
import { telemetryOf } from "../runs/call-settings.ts";
import { StepResultReader } from "../runs/step-result.ts";
import { callbackHooks } from "./callback-hooks.ts";
import { listsOneStep, type HookSet } from "./hook-set.ts";
import { stepErrorHook, stepHooks } from "./step-hooks.ts";
import { streamHooks } from "./stream-hooks.ts";
import { isOurs, telemetryHooks } from "./telemetry-hooks.ts";
import { withFields } from "./with-fields.ts";
import { wrapTools } from "./wrap-tools.ts";

const FOLLOWED = Symbol.for("agent-step-value.ai-sdk.followed");

/** True where some capture of ours follows a call already: the first one has it. */
export function isFollowed(settings: CallSettings): boolean {
  return FOLLOWED in settings;
}

function marked(settings: object): CallSettings {
  return Object.defineProperty(settings, FOLLOWED, { value: true }) as CallSettings;
}

function asList(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

function registered(): readonly unknown[] {
  const { AI_SDK_TELEMETRY_INTEGRATIONS } = globalThis as { AI_SDK_TELEMETRY_INTEGRATIONS?: unknown };
  return asList(AI_SDK_TELEMETRY_INTEGRATIONS);
}

/** AI SDK 6: integrations of a call are added to the registered ones. */
function telemetry6(settings: CallSettings, integration: object): CallSettings {
  const options = Object(settings["experimental_telemetry"]) as TelemetryOptions;
  const integrations = [...asList(options.integrations), integration];
  return { experimental_telemetry: withFields(options, { integrations }) };
}

/**
 * AI SDK 7: where capture is registered for all calls as well, it must leave this one alone. Integrations
 * of a call stand in place of the registered ones.
 *
 * @param maybe6 true where an integration goes in for AI SDK 6, under the old name: 7 must not take it
 */
function telemetry7(settings: CallSettings, maybe6: boolean): CallSettings {
  const options = telemetryOf(settings);
  const all = registered();
  if (options?.integrations == null && all.some(isOurs)) {
    return { telemetry: { ...options, integrations: all.filter((other) => !isOurs(other)) } };
  }
  return maybe6 ? { telemetry: options ?? {} } : {};
}

/**
 * Puts what follows a run into the settings of its call. The host's own settings, callbacks, telemetry and
 * tools are all there, and none of its objects is changed.
 */
export class Follower {
  readonly #run: AgentRun;
  readonly #hooks: HookSet;
  readonly #streams: boolean;
  readonly #results: StepResultReader;

  constructor(run: AgentRun, hooks: HookSet, streams: boolean) {
    this.#run = run;
    this.#hooks = hooks;
    this.#streams = streams;
    this.#results = new StepResultReader(listsOneStep(hooks));
  }

  /** The settings of a call of generateText or streamText, or of an agent of AI SDK 5. */
  call(settings: CallSettings): CallSettings {
    return marked(withFields(settings, { ...this.#callbacks(settings), ...this.#rest(settings) }));
  }

  /** The settings of an agent of AI SDK 6 or 7 for one call, which takes its callbacks from them. */
  agent(settings: CallSettings, prepareCall: unknown): CallSettings {
    return marked(withFields(settings, { ...this.#callbacks(settings), prepareCall }));
  }

  /** What such an agent's `prepareCall` chose for one call. */
  preparedCall(settings: CallSettings): CallSettings {
    return withFields(settings, this.#rest(settings));
  }

  #callbacks(settings: CallSettings): CallSettings {
    return {
      ...(this.#hooks.v7 && stepHooks(settings, this.#run, this.#results)),
      ...(this.#streams && streamHooks(settings, this.#run, this.#hooks)),
    };
  }

  #rest(settings: CallSettings): CallSettings {
    const { v5, v6, v7 } = this.#hooks;
    const { tools } = settings;
    return {
      ...(tools != null && { tools: wrapTools(tools, this.#run) }),
      ...(v7 && telemetry7(settings, v6)),
      ...(v7 && stepErrorHook(settings, this.#run)),
      ...(v6 && telemetry6(settings, telemetryHooks(this.#run, this.#results, this.#streams))),
      ...(v5 && callbackHooks(settings, this.#run, this.#results, !this.#streams)),
    };
  }
}
