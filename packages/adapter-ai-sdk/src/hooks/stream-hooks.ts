import type { AgentRun } from "../runs/agent-run.ts";
import type { CallSettings } from "../runs/call-settings.ts";
import { alongside, fieldOf } from "./alongside.ts";
import type { HookSet } from "./hook-set.ts";

/** What AI SDK 5, 6 and 7 themselves do with the error of a stream whose host gave no `onError`. */
function printError(event: unknown): void {
  console.error(fieldOf(event, "error"));
}

/** AI SDK 7 does other things where it is given these callbacks. */
function mustStayAway({ output, streamRetries, onEnd, onFinish, onError }: CallSettings): boolean {
  const parses = output != null && onEnd === undefined && onFinish === undefined;
  return parses || (streamRetries !== undefined && onError == null);
}

/** The chunks of a stream tell what `onEnd` and `onError` would. */
function chunkHook(settings: CallSettings, run: AgentRun): CallSettings {
  const heard = (event: unknown) => {
    const chunk = fieldOf(event, "chunk");
    const type = fieldOf(chunk, "type");
    if (type === "error") run.noteError(fieldOf(chunk, "error"));
    else if (type === "finish") run.end("complete");
  };
  return { onChunk: alongside((event) => run.attempt(() => heard(event)), settings["onChunk"]) };
}

/**
 * Callbacks of a streamed call: how it ended, and errors between two steps. AI SDK 5 and 6 say of an
 * aborted stream first that it was aborted and then that it finished; the first word counts.
 */
export function streamHooks(settings: CallSettings, run: AgentRun, { v5, v7 }: HookSet): CallSettings {
  const { onError, onAbort, onFinish, onEnd } = settings;
  const noteError = (event: unknown) => run.attempt(() => run.noteError(fieldOf(event, "error")));
  const finished = () => run.attempt(() => run.end("complete"));
  const aborted = { onAbort: alongside(() => run.attempt(() => run.end("aborted")), onAbort) };
  if (v7 && mustStayAway(settings)) return { ...aborted, ...chunkHook(settings, run) };
  return {
    ...aborted,
    onError: alongside(noteError, onError ?? printError),
    ...(v5 && { onFinish: alongside(finished, onFinish) }),
    ...(v7 && { onEnd: alongside(finished, onEnd === undefined ? onFinish : onEnd) }),
  };
}
