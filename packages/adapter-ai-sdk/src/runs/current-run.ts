import type { Context } from "@opentelemetry/api";
import { asyncStorage, type AsyncStorage } from "./async-storage.ts";

/** What a run inside a tool needs of the run around it. */
export interface SurroundingRun {
  readonly trajectoryId: string | undefined;
  /** OpenTelemetry context of the step under way; undefined where no span is recorded. */
  readonly toolContext: Context | undefined;
}

const KEY = Symbol.for("agent-step-value.ai-sdk.current-run");

/** One for all copies of this package, so that a run of one is the parent of a run of the other. */
function storage(): AsyncStorage<SurroundingRun> | undefined {
  const scope = globalThis as { [KEY]?: AsyncStorage<SurroundingRun> | undefined };
  if (!(KEY in scope)) scope[KEY] = asyncStorage();
  return scope[KEY];
}

/** The run in one of whose tools this code runs; undefined outside, and where the runtime cannot tell. */
export function currentRun(): SurroundingRun | undefined {
  return storage()?.getStore();
}

/** Calls `work` with a run as the current one. */
export function withCurrentRun<T>(run: SurroundingRun, work: () => T): T {
  const own = storage();
  return own === undefined ? work() : own.run(run, work);
}
