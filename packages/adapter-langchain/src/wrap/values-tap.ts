import type { RunTracker } from "../runs/run-tracker.ts";

/** Where LangGraph looks for a second stream to push its events to. An internal setting of it. */
const STREAM_KEY = "__pregel_stream";

interface Config {
  readonly runId?: unknown;
  readonly configurable?: Readonly<Record<string, unknown>>;
}

interface Pregel {
  readonly lg_is_pregel: true;
  stream(input: unknown, config?: Config): unknown;
  withConfig(config: unknown): Pregel;
}

function isPregel(target: unknown): target is Pregel {
  return (target as { lg_is_pregel?: unknown } | null)?.lg_is_pregel === true;
}

/** What LangGraph pushes: where it comes from, which mode, and the chunk. */
type Push = readonly [namespace: readonly string[], mode: string, payload: unknown];

function listener(onValues: (values: unknown) => void): { modes: Set<string>; push(chunk: Push): void } {
  return {
    modes: new Set(["values"]),
    push([namespace, mode, payload]) {
      try {
        const ofRoot = namespace.length === 0 || (namespace.length === 1 && namespace[0] === "");
        if (mode === "values" && ofRoot) onValues(payload);
      } catch {
        // The stream is the host's; whatever fails here must not end it.
      }
    },
  };
}

/** Whether this version of LangGraph pushes to the internal setting as expected: asked of the class itself. */
function pushesValues(target: Pregel): boolean {
  const { constructor } = target as { constructor: { prototype?: unknown } };
  return typeof (constructor.prototype as Partial<Pregel> | undefined)?.stream === "function";
}

/**
 * A compiled graph whose runs also tell the joint state after every superstep, so that `Send` with a
 * payload of its own and nodes with a narrow input have an exact after-state.
 *
 * Overrides `stream`, through which LangGraph runs everything, on this one object, only to add a run
 * id and the internal setting to the config of the call. Gives back the target as it is where that
 * cannot work.
 */
export function tapValues<T>(target: T, tracker: RunTracker): T {
  if (!isPregel(target) || !pushesValues(target)) return target;
  const run = target.stream.bind(target);
  const configure = target.withConfig.bind(target);
  const stream = (input: unknown, config?: Config): unknown => {
    if (config?.configurable?.[STREAM_KEY] !== undefined) return run(input, config);
    const runId = typeof config?.runId === "string" ? config.runId : globalThis.crypto.randomUUID();
    const tap = listener((values) => tracker.graphRun(runId)?.valuesTold(values));
    return run(input, { ...config, runId, configurable: { ...config?.configurable, [STREAM_KEY]: tap } });
  };
  Object.defineProperty(target, "stream", { value: stream, configurable: true, writable: true });
  Object.defineProperty(target, "withConfig", {
    value: (config: unknown) => tapValues(configure(config), tracker),
    configurable: true,
    writable: true,
  });
  return target;
}
