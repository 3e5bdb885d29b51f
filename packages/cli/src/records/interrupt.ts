import { EXIT } from "../exit-code.ts";

/** A signal that fires on Ctrl-C. A second Ctrl-C ends the process at once. */
export interface Interrupt {
  signal: AbortSignal;
  /** Gives Ctrl-C back its usual meaning. */
  release(): void;
}

export function createInterrupt(): Interrupt {
  const controller = new AbortController();
  const onSignal = (): void => {
    if (controller.signal.aborted) process.exit(EXIT.interrupted);
    controller.abort();
  };
  process.on("SIGINT", onSignal);
  process.on("SIGTERM", onSignal);
  return {
    signal: controller.signal,
    release: () => {
      process.off("SIGINT", onSignal);
      process.off("SIGTERM", onSignal);
    },
  };
}
