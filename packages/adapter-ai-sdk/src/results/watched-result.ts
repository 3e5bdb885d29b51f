import type { AgentRun } from "../runs/agent-run.ts";
import { ResultWatch } from "./result-watch.ts";
import { isStream, watchStream } from "./watch-stream.ts";

/** Getters of a result that give a stream of its own to whoever asks. */
const STREAMS: ReadonlySet<string | symbol> = new Set([
  "stream",
  "fullStream",
  "textStream",
  "partialOutputStream",
  "experimental_partialOutputStream",
  "elementStream",
  "partialObjectStream",
]);

/**
 * A streamed result that tells its run how its streams are read.
 *
 * Everything but the streams is the result's own. What the SDK makes of a stream (UI messages, responses)
 * and what it reads to settle a promise passes through the same getters, so that a cancelled response and
 * a result that is only awaited are seen as well.
 */
export function watchedResult<T extends object>(result: T, run: AgentRun): T {
  const watch = new ResultWatch(run);
  return new Proxy(result, {
    get(target, name, receiver) {
      if (!STREAMS.has(name)) return Reflect.get(target, name, receiver) as unknown;
      // With the result itself as `this`: a stream that is made of another one is watched once.
      const stream: unknown = Reflect.get(target, name, target);
      return isStream(stream) ? watchStream(stream, watch.listen()) : stream;
    },
  });
}
