import { createRecorder, jsonlSink, spanSink } from "@agent-step-value/sdk/capture";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  capturedSpans,
  changed,
  isStep,
  jsonLine,
  jsonLogLine,
  logRecords,
  recorderWithSpans,
} from "./asv-spans.test-support.ts";
import { digestsOf, imported } from "./importing.test-support.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "asv-lost-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("states that do not arrive whole", () => {
  it("finds cut values by their declared length, keeps the step and the other states", async () => {
    const spans = capturedSpans(1, { spanLimits: { attributeValueLengthLimit: 100 } });
    const { trajectories, report } = await imported(jsonLine(spans));
    expect(report.outcome).toBe("partial");
    expect(report.states).toMatchObject({ inline: 0, cut: 6, damaged: 0, missing: 0 });
    const [step] = trajectories[0]!.steps;
    expect(step).not.toHaveProperty("stateBefore");
    expect(step!.extra).toMatchObject({
      damaged: ["state_before", "state_after"],
      declared: {
        state_after: { found_length: 100, length: expect.any(Number), sha256: expect.any(String) },
      },
    });
  });

  it("takes a cut state from another span that has it whole", async () => {
    const spans = capturedSpans(1).map((span) =>
      isStep(1)(span) ? changed(span, { "asv.state.before": '{"blocks":[{"ki' }) : span,
    );
    const { trajectories, report } = await imported(jsonLine(spans));
    expect(report).toMatchObject({ outcome: "complete", states: { inline: 6, cut: 0 } });
    expect(trajectories[0]!.steps[1]!.stateBefore).toBe(trajectories[0]!.steps[0]!.stateAfter);
  });

  it.each([
    ["another text of the same length", (text: string) => text.replace("note 0", "nope 0")],
    ["no JSON", (text: string) => "x".repeat(text.length)],
    ["no object", (text: string) => JSON.stringify("y".repeat(text.length - 2))],
    ["too deep", (text: string) => `{"a":${"[".repeat(5000)}${"]".repeat(5000)}}`.padEnd(text.length)],
    ["a number beyond all numbers", (text: string) => `{"a":1e999}`.padEnd(text.length)],
  ])("finds a state that was changed: %s", async (_name, change) => {
    const spans = capturedSpans(1).map((span) =>
      isStep(2)(span)
        ? changed(span, { "asv.state.after": change(String(span.attributes["asv.state.after"])) })
        : span,
    );
    const { trajectories, report } = await imported(jsonLine(spans));
    expect(report).toMatchObject({ outcome: "partial", states: { damaged: 1, inline: 5 } });
    expect(trajectories[0]!.steps[2]).not.toHaveProperty("stateAfter");
    expect(trajectories[0]!.steps[2]!.extra).toMatchObject({ damaged: ["state_after"] });
  });

  it("knows a state again that a backend wrote with other white space", async () => {
    const spaced = (text: unknown): string => JSON.stringify(JSON.parse(String(text)), null, 1);
    const spans = capturedSpans(1).map((span) =>
      isStep(0)(span)
        ? changed(span, { "asv.state.before": spaced(span.attributes["asv.state.before"]) })
        : span,
    );
    const { lines, report } = await imported(jsonLine(spans));
    expect(report.outcome).toBe("complete");
    expect(lines).toHaveLength(1);
  });

  it("joins digests with log records, over all files, whole or structured", async () => {
    const spans = capturedSpans(2);
    const texts = new Map<string, string>();
    const bare = spans.map((span) => {
      for (const side of ["before", "after"]) {
        const digest = span.attributes[`asv.state.${side}.sha256`];
        if (typeof digest === "string") texts.set(digest, String(span.attributes[`asv.state.${side}`]));
      }
      const none = { "asv.state.before": undefined, "asv.state.after": undefined };
      return changed(span, { ...none, ...(span.name === "asv.step" && { "asv.state.carrier": "log" }) });
    });
    const logs = logRecords(
      [...texts].map(([digest, text], i) => ({
        eventName: "asv.state",
        body: i % 2 === 0 ? text : (JSON.parse(text) as { blocks: [] }),
        attributes: { "asv.state.sha256": digest, "asv.state.length": text.length },
      })),
    );
    const { trajectories, report } = await imported([jsonLine(bare), jsonLogLine(logs), jsonLogLine(logs)]);
    expect(report).toMatchObject({
      outcome: "complete",
      states: { log: 12 },
      logs: { states: 2 * texts.size },
    });
    const whole = await imported(jsonLine(spans));
    expect(trajectories.map(digestsOf)).toEqual(whole.trajectories.map(digestsOf));

    // A record whose body is not what it declares is told, and its state is missing.
    const [first, ...rest] = logs;
    const forged = logRecords([
      {
        eventName: "asv.state",
        body: '{"blocks":[]}',
        attributes: first!.attributes as Record<string, string>,
      },
    ]);
    const lost = await imported([jsonLine(bare), jsonLogLine([...forged, ...rest])]);
    expect(lost.report).toMatchObject({
      outcome: "partial",
      states: { missing: 1 },
      logs: { damagedStates: 1 },
    });
  });

  it("joins digests with the capture's own files", async () => {
    const file = join(folder, "capture.jsonl");
    const { tracerProvider, spans: recorded } = recorderWithSpans();
    const sinks = [jsonlSink(file), spanSink({ tracerProvider, states: "digest" })];
    const recorder = createRecorder({ file: false, sinks });
    const run = recorder.trajectory({ id: "r" });
    run.step({ action: { type: "a" }, before: { n: 0 } }).end({ after: { n: 1 } });
    run.close({ status: "complete" });
    const spans = jsonLine(recorded());
    const alone = await imported(spans);
    expect(alone.report).toMatchObject({ outcome: "partial", states: { missing: 2 } });
    expect(alone.trajectories[0]!.steps[0]!.extra).toMatchObject({ carrier: "local" });
    const joined = await imported(spans, { states: file });
    expect(joined.report).toMatchObject({ outcome: "complete", states: { local: 2, missing: 0 } });
    await expect(imported(spans, { states: join(folder, "none") })).rejects.toMatchObject({
      code: "unreadable_source",
    });
  });
});

describe("spans that do not arrive", () => {
  it("keeps the steps of a trajectory whose own span is missing, as partial", async () => {
    const spans = capturedSpans(1).filter(({ name }) => name === "asv.step");
    const { trajectories, report } = await imported(jsonLine(spans));
    expect(trajectories).toMatchObject([{ trajectoryId: "run-0", status: "partial", steps: [{}, {}, {}] }]);
    expect(report).toMatchObject({ outcome: "partial", native: { withoutSpan: 1 } });
  });

  it("sees by their own counting that steps are missing where the run's span gives no number of them", async () => {
    const spans = capturedSpans(1)
      .filter((span) => !isStep(1)(span))
      .map((span) => changed(span, { "asv.trajectory.step_count": undefined }));
    const { trajectories, report } = await imported(jsonLine(spans));
    expect(trajectories[0]).toMatchObject({ status: "partial", extra: { missing_steps: 1 } });
    expect(report).toMatchObject({ outcome: "partial", native: { incomplete: 1, missingSteps: 1 } });
  });

  it("counts missing steps, and calls no gap a change by the actor", async () => {
    const spans = capturedSpans(1).filter((span) => !isStep(1)(span));
    const { trajectories, report } = await imported(jsonLine(spans));
    expect(trajectories[0]).toMatchObject({
      status: "partial",
      extra: { missing_steps: 1, declared_status: "complete", step_count: 3 },
    });
    expect(trajectories[0]!.steps.map(({ index, discontinuity }) => [index, discontinuity])).toEqual([
      [0, undefined],
      [2, undefined],
    ]);
    expect(report).toMatchObject({ outcome: "partial", native: { incomplete: 1, missingSteps: 1 } });
  });

  it("keeps of conflicting copies the one that ended later, and counts them", async () => {
    const spans = capturedSpans(1);
    const step = spans.find(isStep(0))!;
    const later = Object.assign(changed(step, { "asv.step.action": "other" }), {
      endTime: [2_000_000_000, 0],
    });
    for (const order of [
      [...spans, later],
      [later, ...spans],
    ]) {
      const { trajectories, report } = await imported(jsonLine(order));
      expect(trajectories[0]!.steps[0]!.action).toEqual({ type: "other" });
      expect(report).toMatchObject({ outcome: "partial", duplicates: { folded: 0, conflicts: 1 } });
    }
  });

  it("makes one trajectory of a run that went on after an interrupt", async () => {
    const { recorder, spans } = recorderWithSpans();
    const first = recorder.trajectory({ id: "r", task: { id: "t", question: "which?" } });
    first.step({ action: { type: "ask" }, before: { n: 0 } }).end({ after: { n: 1 } });
    first.close({ status: "interrupted" });
    const again = recorder.trajectory({ id: "r", task: { id: "t", question: "which?" } });
    again.step({ action: { type: "answer" }, before: { n: 1 } }).end({ after: { n: 2 } });
    again.close({ status: "complete" });
    expect(spans().filter(({ name }) => name === "asv.trajectory")).toHaveLength(2);
    const { trajectories, report } = await imported(jsonLine(spans()));
    expect(trajectories).toMatchObject([
      { trajectoryId: "r", status: "complete", task: { question: "which?" } },
    ]);
    expect(trajectories[0]!.steps.map(({ index }) => index)).toEqual([0, 1]);
    expect(report.outcome).toBe("complete");
  });

  it("refuses a trajectory of a later version of the set, by name", async () => {
    const spans = capturedSpans(2).map((span) =>
      span.name === "asv.trajectory" && span.attributes["asv.trajectory.id"] === "run-0"
        ? changed(span, { "asv.schema.version": 2 })
        : span,
    );
    const { trajectories, report } = await imported(jsonLine(spans));
    expect(trajectories.map(({ trajectoryId }) => trajectoryId)).toEqual(["run-1"]);
    expect(report).toMatchObject({ outcome: "partial", native: { unknownVersion: 1 } });
    expect(report.warningCounts).toEqual({ unknown_version: 1 });
  });

  it("says that there is nothing to import", async () => {
    for (const source of [
      Buffer.alloc(0),
      Buffer.from("\n \n"),
      Buffer.from('{"resourceMetrics":[{}]}\n'),
      Buffer.from("x"),
    ]) {
      const { report } = await imported(source);
      expect(report).toMatchObject({ outcome: "unusable", trajectories: 0 });
    }
  });
});
