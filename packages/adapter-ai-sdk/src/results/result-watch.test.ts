import { describe, expect, it } from "vitest";
import type { AgentRun } from "../runs/agent-run.ts";
import { PartialText } from "../runs/partial-text.ts";
import { ResultWatch } from "./result-watch.ts";

/** A run that notes only how it was ended, for a result whose other hooks tell nothing. */
function watched(signal?: AbortSignal) {
  const ends: unknown[][] = [];
  const run = {
    signal,
    isLeft: false,
    partialText: new PartialText(),
    attempt: (work: () => void) => work(),
    end: (...end: unknown[]) => void ends.push(end),
  };
  return { ends, run, watch: new ResultWatch(run as unknown as AgentRun) };
}

const text = (delta: string) => ({ type: "text-delta", text: delta });

describe("ResultWatch", () => {
  it("an abort that only the chunks tell of", () => {
    for (const over of ["ended", "left"] as const) {
      const { ends, watch } = watched();
      const reader = watch.listen();
      reader.part({ type: "abort" });
      reader[over]();
      expect(ends[0]![0]).toBe("aborted");
    }
  });

  it("an error that only the chunks tell of: the first one", () => {
    const { ends, watch } = watched();
    const reader = watch.listen();
    reader.part({ type: "error", error: "first" });
    reader.part({ type: "error", error: "second" });
    reader.ended();
    expect(ends).toEqual([["complete", "first"]]);
  });

  it("a stream that breaks is aborted where its caller's signal was raised", () => {
    for (const [signal, status] of [
      [AbortSignal.abort("why"), "aborted"],
      [undefined, "error"],
    ] as const) {
      const { ends, watch } = watched(signal);
      watch.listen().failed("broken");
      expect(ends).toEqual([[status, "broken"]]);
    }
  });

  it("nobody is left when the last reader is, and each leaves once", () => {
    const { ends, run, watch } = watched();
    const [one, other] = [watch.listen(), watch.listen()];
    one.left();
    one.left();
    one.ended();
    expect([ends, run.isLeft]).toEqual([[], false]);
    other.left();
    expect([ends, run.isLeft]).toEqual([[["abandoned"]], true]);
    watch.listen();
    expect(run.isLeft).toBe(false);
  });

  it("what was said is heard from one reader, as chunks or as texts", () => {
    const { run, watch } = watched();
    const [one, other] = [watch.listen(), watch.listen()];
    for (const delta of ["The ", "lamp "]) for (const reader of [other, one]) reader.part(text(delta));
    one.part("is ");
    one.part({ type: "text-delta", textDelta: "green" });
    for (const part of [null, 7, {}, { type: "reasoning-delta", text: "no" }, text(7 as never)])
      one.part(part);
    expect(run.partialText.text).toBe("The lamp is green");
  });
});
