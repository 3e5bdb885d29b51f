/**
 * Runs jobs side by side and yields their results in the order of the jobs.
 *
 * At most `ahead` jobs are running or waiting to be read, so a slow reader, or a slow job at the
 * head, holds the source back and memory stays flat. A source that throws does so after the results
 * of the jobs before it. When the reader stops early or a job fails, `abandon` is told, so that it can
 * make the other jobs end soon, and they are waited for.
 */
export async function* orderedResults<T>(
  source: AsyncIterator<() => Promise<T>>,
  ahead: number,
  abandon: () => void,
): AsyncGenerator<T, void, undefined> {
  const running: Promise<T>[] = [];
  let failure: { error: unknown } | undefined;
  let more = true;
  try {
    while (more || running.length > 0) {
      while (more && running.length < ahead) {
        try {
          const next = await source.next();
          if (next.done === true) more = false;
          else running.push(started(next.value));
        } catch (error) {
          failure = { error };
          more = false;
        }
      }
      const head = running.shift();
      if (head !== undefined) yield await head;
    }
    if (failure !== undefined) throw failure.error;
  } finally {
    if (more || running.length > 0) abandon();
    await source.return?.();
    await Promise.allSettled(running);
  }
}

/** A job whose rejection waits for its reader instead of being reported as unhandled. */
function started<T>(job: () => Promise<T>): Promise<T> {
  const result = job();
  result.catch(() => {});
  return result;
}
