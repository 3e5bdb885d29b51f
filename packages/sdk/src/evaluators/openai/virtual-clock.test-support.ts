import type { Clock } from "./clock.ts";

/** A clock whose sleeps end at once, in the order of their ends, with time moved on as if they had lasted. */
export interface VirtualClock extends Clock {
  /** Every wait, in ms. */
  readonly slept: readonly number[];
}

export function virtualClock(): VirtualClock {
  let now = 0;
  const slept: number[] = [];
  const sleeping: { at: number; wake: () => void }[] = [];
  const turn = (): void => {
    const next = sleeping.toSorted((a, b) => a.at - b.at)[0];
    if (next === undefined) return;
    sleeping.splice(sleeping.indexOf(next), 1);
    now = Math.max(now, next.at);
    next.wake();
  };
  return {
    slept,
    now: () => now,
    date: () => Date.UTC(2026, 0, 1) + now,
    random: () => 0.5,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted === true) return resolve();
        slept.push(ms);
        const entry = { at: now + ms, wake: resolve };
        sleeping.push(entry);
        signal?.addEventListener("abort", () => {
          const at = sleeping.indexOf(entry);
          if (at >= 0) sleeping.splice(at, 1);
          resolve();
        });
        // Two turns of the loop: whoever can run without waiting runs first.
        setImmediate(() => setImmediate(turn));
      }),
  };
}
