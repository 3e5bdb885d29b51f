/** Runs work first come, first served, one piece at a time. */
export function oneAtATime() {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> => {
    const result = last.then(() => {
      signal?.throwIfAborted();
      return work();
    });
    last = result.catch(() => {});
    return result;
  };
}
