const endWork = new Set<(why: string) => void>();

function onExit(): void {
  endAll("process-exit");
}

function endAll(why: string): void {
  for (const work of endWork) {
    try {
      work(why);
    } catch {
      // A throw here would change the exit code of the host.
    }
  }
}

let listens = false;

/**
 * Runs work when the process ends by itself: natural end, `process.exit`, uncaught throw; and before a signal ends it
 * where {@link installSignalHandlers} was called. What the work throws is swallowed, so the exit code stays as it is.
 *
 * One `exit` listener serves all work. It stays when work is taken back, as the next run brings some;
 * {@link leaveProcessExit} takes it off.
 *
 * @param work synchronous; gets `process-exit`, or the signal's name
 * @returns takes the work back
 */
export function atProcessExit(work: (why: string) => void): () => void {
  if (!listens) globalThis.process?.on?.("exit", onExit);
  listens = true;
  endWork.add(work);
  return () => void endWork.delete(work);
}

/** Takes the `exit` listener of {@link atProcessExit} off where no work is left. Called by what is shut down. */
export function leaveProcessExit(): void {
  if (endWork.size > 0 || !listens) return;
  globalThis.process?.off?.("exit", onExit);
  listens = false;
}

/**
 * Has trajectories that are open when a signal ends the process closed as `partial:<signal>`. Never
 * installed unasked. Where the host has a listener of its own for the signal, nothing is done:
 * the host decides what the signal means, and the end of the process is seen anyway. Without
 * this, such trajectories have no close record and read as `partial`; no finished step is lost.
 *
 * @returns removes the handlers
 */
export function installSignalHandlers(
  signals: readonly string[] = ["SIGINT", "SIGTERM", "SIGHUP"],
): () => void {
  const { process } = globalThis;
  const onSignal = (signal: string): void => {
    if (process.listenerCount(signal) > 1) return;
    endAll(signal);
    process.off(signal, onSignal);
    process.kill(process.pid, signal);
  };
  for (const signal of signals) process?.on?.(signal, onSignal);
  return () => {
    for (const signal of signals) process?.off?.(signal, onSignal);
  };
}
