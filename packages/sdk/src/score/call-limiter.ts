/** Runs calls first come, first served, at most `limit` at a time. */
export interface CallLimiter {
  /** Rejects with the signal's reason, without calling, once the signal has fired. */
  run<T>(call: () => Promise<T>): Promise<T>;
}

export function createCallLimiter(limit: number, signal: AbortSignal): CallLimiter {
  let free = limit;
  const waiting: (() => void)[] = [];
  return {
    async run(call) {
      if (free > 0) free--;
      // A finished call hands its place straight to the next one, so `free` does not move.
      else await new Promise<void>((resolve) => waiting.push(resolve));
      try {
        signal.throwIfAborted();
        return await call();
      } finally {
        const next = waiting.shift();
        if (next === undefined) free++;
        else next();
      }
    },
  };
}
