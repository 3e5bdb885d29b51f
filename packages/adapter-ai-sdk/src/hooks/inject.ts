import type { AgentRun } from "../runs/agent-run.ts";
import { telemetryOf, type CallSettings, type TelemetryOptions } from "../runs/call-settings.ts";
import { insideTool } from "../runs/inside-tool.ts";
import { StepResultReader } from "../runs/step-result.ts";
import { callbackHooks } from "./callback-hooks.ts";
import { listsOneStep, type HookSet } from "./hook-set.ts";
import { streamHooks } from "./stream-hooks.ts";
import { isOurs, telemetryHooks } from "./telemetry-hooks.ts";
import { wrapTools } from "./wrap-tools.ts";

function asList(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

function registered(): readonly unknown[] {
  const { AI_SDK_TELEMETRY_INTEGRATIONS } = globalThis as { AI_SDK_TELEMETRY_INTEGRATIONS?: unknown };
  return asList(AI_SDK_TELEMETRY_INTEGRATIONS);
}

/** True where some capture of ours follows the call already: the first one has it. */
export function isFollowed(settings: CallSettings): boolean {
  return asList(telemetryOf(settings)?.integrations).some(isOurs) || FOLLOWED in settings;
}

const FOLLOWED = Symbol.for("agent-step-value.ai-sdk.followed");

/**
 * AI SDK 7: integrations of a call stand in place of the registered ones, so these come along. Ours is
 * last, which makes it the outermost around a tool: spans of the others stay nearest to the tool's code.
 */
function telemetry7(settings: CallSettings, integration: object): TelemetryOptions {
  const options = telemetryOf(settings);
  const others =
    options?.integrations == null
      ? registered().filter((other) => !isOurs(other))
      : asList(options.integrations);
  return { ...options, integrations: [...others, integration] };
}

/** AI SDK 6: integrations of a call are added to the registered ones. */
function telemetry6(settings: CallSettings, integration: object): TelemetryOptions {
  const options = Object(settings["experimental_telemetry"]) as TelemetryOptions;
  return { ...options, integrations: [...asList(options.integrations), integration] };
}

/** AI SDK 5 and 6 make their own span active around a tool where their telemetry is on. */
function hasToolSpans(settings: CallSettings): boolean {
  return (Object(settings["experimental_telemetry"]) as TelemetryOptions).isEnabled === true;
}

/**
 * The settings of a call with everything in them that follows it. The host's own settings, callbacks,
 * telemetry and tools are all there, and none of its objects is changed.
 */
export function followed(
  settings: CallSettings,
  run: AgentRun,
  hooks: HookSet,
  streams: boolean,
): CallSettings {
  const { v5, v6, v7 } = hooks;
  const results = new StepResultReader(listsOneStep(hooks));
  const integration = v6 || v7 ? telemetryHooks(run, results, { v6, v7, streams }) : undefined;
  const activates = v7 || !hasToolSpans(settings);
  const inside = <T>(work: () => T) => insideTool(run, activates, work);
  const injected = {
    ...settings,
    ...(integration !== undefined && v7 && { telemetry: telemetry7(settings, integration) }),
    ...(integration !== undefined && v6 && { experimental_telemetry: telemetry6(settings, integration) }),
    ...((v5 || v6) && settings["tools"] != null && { tools: wrapTools(settings["tools"], inside) }),
    ...(v5 && callbackHooks(settings, run, results, !streams)),
    ...(streams && streamHooks(settings, run, hooks)),
  };
  return Object.defineProperty(injected, FOLLOWED, { value: true });
}
