import { describe, expect, it } from "vitest";
import { capturedSpans, jsonLine, recorderWithSpans } from "./asv-spans.test-support.ts";
import { imported } from "./importing.test-support.ts";

/** Spans of an agent that somebody else instrumented, as the GenAI conventions have it. */
function call(
  spanId: string,
  parentSpanId: string | undefined,
  operation: string,
  at: number,
  more: object = {},
) {
  return {
    name: `${operation} x`,
    traceId: "7".repeat(32),
    spanId: spanId.repeat(16),
    ...(parentSpanId !== undefined && { parentSpanId: parentSpanId.repeat(16) }),
    start_time: `2026-01-01T00:00:0${at}Z`,
    end_time: `2026-01-01T00:00:0${at + 1}Z`,
    attributes: { "gen_ai.operation.name": operation, ...more },
  };
}

const text = (role: string, content: string) =>
  JSON.stringify([{ role, parts: [{ type: "text", content }] }]);
const chat = {
  "gen_ai.input.messages": text("user", "Which light does Skarn show?"),
  "gen_ai.output.messages": text("assistant", "Green."),
};
const http = (spanId: string, parent: string | undefined, at: number) => ({
  ...call(spanId, parent, "GET", at),
  attributes: { "http.request.method": "GET" },
});

/** An agent whose call goes through a client span that says nothing. */
const trace = [
  call("a", undefined, "invoke_agent", 0),
  http("b", "a", 1),
  call("c", "b", "chat", 2, chat),
  http("d", "c", 3),
];
const bytes = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));

describe("importOtlp of other instrumentations' spans", () => {
  it("rebuilds a run, and says that and how", async () => {
    const { trajectories, report } = await imported(bytes(trace));
    expect(trajectories).toHaveLength(1);
    expect(trajectories[0]!.steps).toHaveLength(1);
    expect(JSON.stringify(trajectories[0]!.steps[0]!.stateAfter)).toContain("Green.");
    expect(JSON.stringify(trajectories[0]!.steps[0]!.stateBefore)).not.toContain("Green.");
    expect(report).toMatchObject({
      outcome: "complete",
      spans: { foreign: 2, plumbing: 2 },
      foreign: { traces: 1, trajectories: 1 },
      fidelity: { reconstructed: 1 },
    });
    expect(report.reconstructed).toMatchObject([
      { trajectoryId: trajectories[0]!.trajectoryId, convention: "gen-ai" },
    ]);
  });

  it("gives the same through its temporary file, doubled and in any order", async () => {
    const wanted = (await imported(bytes(trace))).lines;
    const { lines, report } = await imported([bytes(trace.toReversed()), bytes(trace)], { memoryLimit: 100 });
    expect(lines).toEqual(wanted);
    // A span that says nothing is held where it leads to one that says something.
    expect(report.duplicates).toEqual({ folded: 3, conflicts: 0 });
    expect(report.spilledBytes).toBeGreaterThan(0);
  });

  it("leaves a trace alone that holds the toolkit's own spans, unless told otherwise", async () => {
    const { recorder, spans } = recorderWithSpans();
    const run = recorder.trajectory({ id: "r" });
    run.step({ action: { type: "a" }, before: { n: 0 } }).end({ after: { n: 1 } });
    run.close({ status: "complete" });
    const { traceId } = spans()[0]!.spanContext();
    const beside = bytes(trace.map((span) => ({ ...span, traceId })));
    const alone = await imported([jsonLine(spans()), beside]);
    expect(alone.trajectories.map(({ trajectoryId }) => trajectoryId)).toEqual(["r"]);
    expect(alone.report).toMatchObject({ outcome: "complete", foreign: { besideNative: 1, traces: 0 } });
    const both = await imported([jsonLine(spans()), beside], { convention: "gen-ai" });
    expect(both.trajectories).toHaveLength(2);
  });

  it("says nothing of a run where spans say nothing of one", async () => {
    const { report } = await imported([bytes([http("a", undefined, 1)]), bytes([http("b", undefined, 1)])]);
    expect(report).toMatchObject({ outcome: "unusable", spans: { plumbing: 2 }, foreign: { traces: 0 } });
  });

  it("reads both kinds from one set, in order of their start", async () => {
    const own = capturedSpans(1);
    const { trajectories, report } = await imported([jsonLine(own), bytes(trace)]);
    expect(trajectories.map(({ trajectoryId }) => trajectoryId)).toContain("run-0");
    expect(report.fidelity).toEqual({ recorded: 1, reconstructed: 1 });
    expect(trajectories.map(({ steps }) => steps.length)).toEqual([1, 3]);
  });
});
