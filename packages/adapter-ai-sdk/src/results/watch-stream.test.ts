import { describe, expect, it } from "vitest";
import { watchStream } from "./watch-stream.ts";

/** A source that counts what it is asked for and holds nothing, watched. */
function watched(chunks: readonly unknown[], more: { breaks?: unknown; waits?: boolean } = {}) {
  const asked = { pulls: 0, cancelled: [] as unknown[] };
  const rest = [...chunks];
  const source = new ReadableStream<unknown>(
    {
      async pull(controller) {
        asked.pulls += 1;
        if (rest.length > 0) return controller.enqueue(rest.shift());
        if (more.breaks !== undefined) return controller.error(more.breaks);
        if (more.waits) return new Promise(() => undefined);
        controller.close();
      },
      cancel: (reason) => void asked.cancelled.push(reason),
    },
    { highWaterMark: 0 },
  );
  const told: unknown[] = [];
  const stream = watchStream(source, {
    part: (value) => void told.push(value),
    ended: () => void told.push("ended"),
    failed: (error) => void told.push(["failed", error]),
    left: () => void told.push("left"),
  });
  return { asked, source, told, stream };
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 0));

describe("watchStream", () => {
  it("asks for a chunk when it is asked for one, and holds none", async () => {
    const { asked, stream, told } = watched([1, 2, 3]);
    await settled();
    expect(asked.pulls).toBe(0);
    const reader = stream.getReader();
    for (const chunk of [1, 2]) {
      expect(await reader.read()).toEqual({ done: false, value: chunk });
      await settled();
      expect(asked.pulls).toBe(chunk);
    }
    expect(await reader.read()).toEqual({ done: false, value: 3 });
    expect((await reader.read()).done).toBe(true);
    expect(told).toEqual([1, 2, 3, "ended"]);
  });

  it("a reader that leaves: the source hears why, and nothing is told behind it", async () => {
    const { asked, stream, told } = watched([1], { waits: true });
    const reader = stream.getReader();
    await reader.read();
    const waiting = reader.read();
    await settled();
    await reader.cancel("enough");
    expect((await waiting).done).toBe(true);
    await settled();
    expect(asked.cancelled).toEqual(["enough"]);
    expect(told).toEqual([1, "left"]);
  });

  it("one that leaves before it read anything", async () => {
    const { asked, stream, told } = watched([1]);
    await stream.cancel("no");
    expect([asked.pulls, asked.cancelled, told]).toEqual([0, ["no"], ["left"]]);
  });

  it("a source that breaks breaks its reader with the same error", async () => {
    const error = new Error("socket closed");
    const { stream, told } = watched([1], { breaks: error });
    const reader = stream.getReader();
    await reader.read();
    await expect(reader.read()).rejects.toBe(error);
    expect(told).toEqual([1, ["failed", error]]);
  });

  it("keeps an iterator of the source's own, and has the usual one else", async () => {
    const { source } = watched([]);
    const own = () => ({ next: async () => ({ done: true as const, value: undefined }) });
    Object.defineProperty(source, Symbol.asyncIterator, { value: own, configurable: true });
    const none = { part: () => {}, ended: () => {}, failed: () => {}, left: () => {} };
    expect(watchStream(source, none)[Symbol.asyncIterator]).toBe(own);
    expect(Object.hasOwn(watched([]).stream, Symbol.asyncIterator)).toBe(false);
  });
});
