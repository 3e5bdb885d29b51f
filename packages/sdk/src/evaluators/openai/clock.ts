/** Time and chance as the client sees them, so that a test need not wait. */
export interface Clock {
  /** Milliseconds on a scale of its own. */
  now(): number;
  /** Milliseconds since 1970, for dates that a server names. */
  date(): number;
  /** Resolves after `ms`, or as soon as the signal fires. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** From 0 to less than 1. */
  random(): number;
}

/** The longest wait a timer takes; a longer one is slept in parts. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** The real clock. */
export const systemClock: Clock = {
  now: () => performance.now(),
  date: () => Date.now(),
  random: () => Math.random(),
  async sleep(ms, signal) {
    for (let left = ms; left > 0 && signal?.aborted !== true; left -= LONGEST_TIMER) {
      await timer(Math.min(left, LONGEST_TIMER), signal);
    }
  },
};

function timer(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(handle);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const handle = setTimeout(end, ms);
    signal?.addEventListener("abort", end, { once: true });
  });
}
