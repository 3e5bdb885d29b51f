import { describe, expect, it } from "vitest";
import { orderedResults } from "./ordered-results.ts";

/** Jobs that end when told to, and a record of how many were taken from the source. */
function controlled(count: number) {
  const ends: (() => void)[] = [];
  const fails: ((error: unknown) => void)[] = [];
  const source = {
    taken: 0,
    closed: false,
    async next() {
      if (source.taken === count) return { done: true as const, value: undefined };
      const n = source.taken++;
      const result = new Promise<number>((resolve, reject) => {
        ends[n] = () => resolve(n);
        fails[n] = reject;
      });
      return { done: false as const, value: () => result };
    },
    async return() {
      source.closed = true;
      return { done: true as const, value: undefined };
    },
  };
  return { source, ends, fails };
}
const settled = () => new Promise((resolve) => setTimeout(resolve, 0));

describe("orderedResults", () => {
  it("yields in the order of the jobs, whatever order they end in", async () => {
    const { source, ends } = controlled(3);
    const results = orderedResults(source, 3, () => {});
    const all = (async () => {
      const seen: number[] = [];
      for await (const n of results) seen.push(n);
      return seen;
    })();
    await settled();
    for (const n of [2, 0, 1]) ends[n]!();
    expect(await all).toEqual([0, 1, 2]);
    expect(source.closed).toBe(true);
  });

  it("takes no more than `ahead` jobs that nobody has read", async () => {
    const { source, ends } = controlled(100);
    const results = orderedResults(source, 4, () => {});
    const first = results.next();
    await settled();
    expect(source.taken).toBe(4);
    for (const end of ends) end();
    await first;
    await settled();
    expect(source.taken).toBe(4);
    const second = results.next();
    await settled();
    expect(source.taken).toBe(5);
    for (const end of ends) end();
    await second;
    for (const end of ends) end();
    await results.return();
  });

  it("gives a failing source's earlier results first", async () => {
    async function* source() {
      yield async () => 1;
      yield async () => 2;
      throw new Error("line 3 is torn");
    }
    const seen: number[] = [];
    const read = async () => {
      for await (const n of orderedResults(source(), 8, () => {})) seen.push(n);
    };
    await expect(read()).rejects.toThrow("line 3 is torn");
    expect(seen).toEqual([1, 2]);
  });

  it("a failing job ends it; the others are told to stop and waited for", async () => {
    const { source, ends, fails } = controlled(3);
    let abandoned = false;
    const results = orderedResults(source, 3, () => {
      abandoned = true;
      for (const end of ends) end();
    });
    const first = results.next();
    await settled();
    fails[0]!(new Error("no key"));
    await expect(first).rejects.toThrow("no key");
    expect([abandoned, source.closed]).toEqual([true, true]);
  });

  it("does not abandon anything when it goes through", async () => {
    async function* source() {
      yield async () => 1;
    }
    let abandoned = false;
    const seen: number[] = [];
    for await (const n of orderedResults(source(), 2, () => (abandoned = true))) seen.push(n);
    expect([seen, abandoned]).toEqual([[1], false]);
  });
});
