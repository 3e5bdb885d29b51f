const WINDOW_MS = 30_000;

/** Estimates the rest of a count from its speed of the last half minute. */
export interface Eta {
  /** @returns seconds left; undefined while too little is known */
  update(done: number, total: number | undefined): number | undefined;
}

/**
 * The whole run's speed would mislead: what a cache answers comes first and at once.
 *
 * @param now milliseconds
 */
export function createEta(now: () => number): Eta {
  const seen: { at: number; done: number }[] = [];
  return {
    update(done, total) {
      const at = now();
      const last = seen.at(-1);
      if (last === undefined || at - last.at >= 500) seen.push({ at, done });
      while (seen.length > 2 && at - seen[1]!.at >= WINDOW_MS) seen.shift();
      const first = seen[0]!;
      if (total === undefined || at - first.at < 1000 || done <= first.done) return undefined;
      return ((total - done) * (at - first.at)) / (done - first.done) / 1000;
    },
  };
}

/** `45 s`, `12 min`, `3 h 20 min`. */
export function showSeconds(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 90) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
