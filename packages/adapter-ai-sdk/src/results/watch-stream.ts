/** What is told of a stream that somebody reads. */
export interface StreamListener {
  part(value: unknown): void;
  /** It was read to its end. */
  ended(): void;
  failed(error: unknown): void;
  /** Its reader left. */
  left(): void;
}

/**
 * A stream that gives what `source` gives, and tells a listener how far it was read.
 *
 * It asks the source for a chunk only when it is asked for one itself: it holds nothing, so that the
 * source is pulled as often and as early as without it. An async iterator of the source's own, as the AI
 * SDK gives its streams, is kept.
 */
export function watchStream(
  source: ReadableStream<unknown>,
  listener: StreamListener,
): ReadableStream<unknown> {
  let reader: ReadableStreamDefaultReader<unknown> | undefined;
  let isLeft = false;
  const read = () => (reader ??= source.getReader());
  const watched = new ReadableStream<unknown>(
    {
      async pull(controller) {
        try {
          const { done, value } = await read().read();
          // A read that was waiting when the reader left ends with nothing.
          if (isLeft) return;
          if (done) {
            listener.ended();
            controller.close();
          } else {
            listener.part(value);
            controller.enqueue(value);
          }
        } catch (error) {
          if (isLeft) return;
          listener.failed(error);
          controller.error(error);
        }
      },
      cancel(reason) {
        isLeft = true;
        listener.left();
        return read().cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
  const iterator = Object.getOwnPropertyDescriptor(source, Symbol.asyncIterator);
  return iterator === undefined ? watched : Object.defineProperty(watched, Symbol.asyncIterator, iterator);
}

export function isStream(value: unknown): value is ReadableStream<unknown> {
  return (
    typeof value === "object" &&
    value !== null &&
    typeof (value as { getReader?: unknown }).getReader === "function"
  );
}
