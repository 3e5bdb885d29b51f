import type { AgentRun } from "../runs/agent-run.ts";
import type { CallSettings } from "../runs/call-settings.ts";
import { alongside } from "./callback-hooks.ts";
import type { HookSet } from "./hook-set.ts";

interface Chunk {
  readonly type?: unknown;
  readonly error?: unknown;
}

/** What AI SDK 5, 6 and 7 themselves do with the error of a stream whose host gave no `onError`. */
function printError(event: unknown): void {
  console.error((Object(event) as { error?: unknown }).error);
}

/**
 * Callbacks of a streamed call that tell what its other hooks leave out: that it was aborted (5 and 6 say
 * afterwards that it finished), and errors between two steps.
 */
export function streamHooks(settings: CallSettings, run: AgentRun, { v5, v6, v7 }: HookSet): CallSettings {
  const { onError, onAbort, onFinish, onChunk } = settings;
  const noteError = (event: unknown) =>
    run.attempt(() => run.noteError((Object(event) as { error?: unknown }).error));
  const aborted = () => run.attempt(() => run.end("aborted"));
  const finished = () => run.attempt(() => run.end("complete"));
  const isOld = (v5 || v6) && !v7;
  return {
    ...((v5 || v6) && { onAbort: alongside(aborted, onAbort) }),
    // AI SDK 7 does other things where an `onError` was given, so that none may be given there.
    ...((isOld || onError !== undefined) && { onError: alongside(noteError, onError ?? printError) }),
    ...(v5 && (isOld || onFinish !== undefined) && { onFinish: alongside(finished, onFinish) }),
    ...(v7 && {
      onChunk: alongside((event) => {
        const { type, error } = Object((Object(event) as { chunk?: unknown }).chunk) as Chunk;
        if (type === "error") run.attempt(() => run.noteError(error));
      }, onChunk),
    }),
  };
}
