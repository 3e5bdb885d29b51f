import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { captured, trajectoriesOf } from "../captured.test-support.ts";
import { majors, stopAfter } from "../majors.test-support.ts";
import { hostOf, question } from "../scenarios.test-support.ts";
import { OpenRuns } from "./open-runs.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function runs(...names: string[]) {
  const abandoned: string[] = [];
  return { abandoned, all: names.map((name) => ({ abandon: () => void abandoned.push(name) })) };
}

describe("OpenRuns", () => {
  it("abandons what was silent for so long, and nothing sooner", () => {
    const open = new OpenRuns(1000, 10);
    const { all, abandoned } = runs("a", "b", "c");
    const [a, b, c] = all as [(typeof all)[0], (typeof all)[0], (typeof all)[0]];
    open.add(a);
    open.add(b);
    open.add(c);
    vi.advanceTimersByTime(900);
    open.touch(b);
    open.delete(c);
    // A sign of life of what has ended does not bring it back.
    open.touch(c);
    expect(abandoned).toEqual([]);
    vi.advanceTimersByTime(600);
    expect(abandoned).toEqual(["a"]);
    vi.advanceTimersByTime(1000);
    expect(abandoned).toEqual(["a", "b"]);
    expect(open.size).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("above so many the one that was added first goes", () => {
    const open = new OpenRuns(Infinity, 2);
    const { all, abandoned } = runs("a", "b", "c");
    for (const run of all) open.add(run);
    expect(abandoned).toEqual(["a"]);
    expect(open.size).toBe(2);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("its timer does not keep the process alive", () => {
    vi.useRealTimers();
    const timers = vi.spyOn(globalThis, "setTimeout");
    new OpenRuns(1000, 10).add({ abandon: () => undefined });
    const timer = timers.mock.results[0]!.value as NodeJS.Timeout;
    timers.mockRestore();
    expect(timer.hasRef()).toBe(false);
    clearTimeout(timer);
  });
});

describe.each(majors)("ai $major", (major) => {
  it("a run that is heard of again and again is not abandoned, however long it takes in all", async () => {
    const { ai, sink } = captured(major, { maxOpenMs: 1000 });
    const host = hostOf(major, ai);
    const wait = ai["tool"]({
      description: "Waits.",
      inputSchema: z.object({}),
      execute: async () => void vi.advanceTimersByTime(700),
    });
    await ai["generateText"]({
      model: host.model((turn) =>
        turn < 3 ? { calls: [{ id: `${turn}`, tool: "wait", input: {} }] } : { text: "Done." },
      ),
      tools: { wait },
      prompt: question,
      stopWhen: stopAfter(major, 5),
      prepareStep: () => void vi.advanceTimersByTime(700),
    });
    const [run] = trajectoriesOf(sink);
    expect(run!.closed).toBe("complete");
    expect(run!.steps.map(({ status }) => status)).toEqual(Array(4).fill("ok"));
  });
});
