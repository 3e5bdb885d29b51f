import type { HookSet } from "../hooks/hook-set.ts";
import { Follower } from "../hooks/follower.ts";
import type { CaptureContext } from "../runs/capture-context.ts";
import { attempted, completed, isSettings, mayCapture, newRun, streamed } from "./captured-call.ts";

export type AnyFunction = (...args: unknown[]) => unknown;

/**
 * `generateText` or `streamText` with every call captured. Name, length and everything else about the
 * function stay its own.
 */
export function capturedFunction(
  capture: CaptureContext,
  hooks: HookSet,
  name: string,
  original: AnyFunction,
  streams: boolean,
): AnyFunction {
  return new Proxy(original, {
    apply(target, self, args: unknown[]) {
      const [settings, ...rest] = args;
      const prepared = attempted(capture, () => {
        if (!isSettings(settings) || !mayCapture(capture, settings)) return undefined;
        const run = newRun(capture, name, settings);
        if (run === undefined) return undefined;
        const injected = new Follower(run, hooks, streams).call(settings);
        run.open(settings);
        return { run, injected };
      });
      if (prepared === undefined) return Reflect.apply(target, self, args) as unknown;
      const { run, injected } = prepared;
      const call = () => Reflect.apply(target, self, [injected, ...rest]) as unknown;
      return streams ? streamed(run, call) : completed(run, call);
    },
  });
}
