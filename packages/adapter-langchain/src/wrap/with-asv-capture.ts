import { captureHandler } from "./capture-handler.ts";
import type { ASVCaptureOptions } from "./capture-options.ts";
import { rememberHandler } from "./asv-flush.ts";
import { tapValues } from "./values-tap.ts";

/** Anything LangChain runs: an agent of createAgent, a compiled graph, a Runnable. */
export interface Capturable {
  withConfig(config: never): unknown;
  invoke(...args: never[]): unknown;
  stream(...args: never[]): unknown;
}

/**
 * The same target with every run captured: each as a trajectory of before-state, action, after-state.
 *
 * Works for agents of `createAgent`, compiled LangGraph graphs and Runnables, through the target's own
 * `withConfig`: the target itself is not changed, nothing is patched, no node is added and no stream
 * wrapped. Results, chunks and events are the same with and without.
 *
 * With no options, spans go to the globally registered tracer provider and records to the JSONL file
 * that `file` or the environment variable `ASV_FILE` names.
 *
 * @example
 * const agent = withASVCapture(createAgent({ model, tools }), { file: "runs.asv.jsonl" });
 *
 * @throws TypeError for a target without `withConfig`
 * @throws InvalidArgumentError for options that cannot be used
 */
export function withASVCapture<T extends Capturable>(target: T, options: ASVCaptureOptions = {}): T {
  if (typeof target?.withConfig !== "function") {
    throw new TypeError(
      "withASVCapture() takes an agent, a compiled graph or a Runnable: something with withConfig().",
    );
  }
  const { handler, tracker } = captureHandler(options, target);
  const configured = target.withConfig({ callbacks: [handler] } as never) as T;
  const captured = options.stateSource === "values-tap" ? tapValues(configured, tracker) : configured;
  rememberHandler(captured, handler);
  return captured;
}
